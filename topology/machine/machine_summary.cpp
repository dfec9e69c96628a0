// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/machine_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/cpu/cpus.hpp"
#include "topology/cpu/numa.hpp"
#include "topology/devices/infiniband.hpp"
#include "topology/devices/nvidia.hpp"
#include "topology/devices/nvme.hpp"
#include "topology/devices/pci.hpp"
#include "topology/kernel/meminfo.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/machine/nccl_configuration.hpp"

namespace muster::topology {
namespace {

double installed_memory(const Sysfs& sysfs) {
  const auto memory = parsed(sysfs, "proc/meminfo", meminfo).value_or(Meminfo());
  const auto total = memory.find("MemTotal");
  return total == memory.end() ? 0 : total->second;
}

double fastest_port(const Sysfs& sysfs, const std::vector<Hca>& nics) {
  double fastest = 0;
  for (const auto& nic : nics)
    for (const auto& port : nic.ports) fastest = std::max(fastest, port_rate(sysfs, nic, port).value_or(0));
  return fastest;
}

std::string model(const Sysfs& sysfs, const std::vector<PciDevice>& gpus) {
  const auto information = gpus.empty() ? std::nullopt : nvidia_information(sysfs, gpus.front().address);
  return information ? information->model : std::string();
}

std::string gpu_driver(const Sysfs& sysfs) {
  if (sysfs.exists("proc/driver/nvidia/version")) return "nvidia";
  for (const auto* name : {"nvidia", "amdgpu"})
    if (sysfs.exists(fmt::format("sys/module/{}", name))) return name;
  return {};
}

std::string topology_file(const Sysfs& sysfs) {
  const auto file = topology_in_use(sysfs, {});
  return file ? file->path.filename().string() : std::string();
}

}  // namespace

MachineSummary machine_summary(const Sysfs& whole) {
  const auto sysfs = whole.quiet();
  const auto processors = cpus(sysfs);
  const auto gpus = nvidia_gpus(sysfs);
  const auto nics = infiniband_hcas(sysfs);
  return {.cpu_count = processors ? processors->online.size() : 0,
          .numa_count = numa_nodes(sysfs).size(),
          .gpu_count = gpus.size(),
          .gpu_id = gpus.empty() ? std::string() : id(gpus.front()),
          .gpu_model = model(sysfs, gpus),
          .nic_count = nics.size(),
          .nic_rate_bits_per_second = fastest_port(sysfs, nics),
          .drive_count = count_of_drives(sysfs, nvme_drives(sysfs)),
          .memory_bytes = installed_memory(sysfs),
          .gpu_driver = gpu_driver(sysfs),
          .topology_file = topology_file(sysfs),
          .system = sysfs.text("sys/class/dmi/id/product_name").value_or("")};
}

}  // namespace muster::topology
