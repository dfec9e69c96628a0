// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/applicable.hpp"

#include <algorithm>

#include "healthcheck/check/topology_file.hpp"
#include "topology/devices/infiniband.hpp"

namespace muster::healthcheck {

std::string cannot_run(const Description& check, const topology::MachineSummary& machine) {
  const bool wants_gpu = check.scope == Scope::per_gpu || check.scope == Scope::all_gpus ||
                         std::ranges::find(check.resources, Resource::gpu) != check.resources.end();
  if (wants_gpu && machine.gpu_count == 0) return "no NVIDIA GPU";
  if (wants_gpu && check.scope == Scope::ranks && machine.gpu_count == 1)
    return "one GPU has none to exchange data with";
  if (check.scope == Scope::per_nic && machine.nic_count == 0) return "no InfiniBand adapter";
  if (check.scope == Scope::per_drive && machine.drive_count == 0) return "no NVMe drive";
  return {};
}

std::string nothing_to_measure(const Description& check, const topology::Sysfs& sysfs,
                               const topology::MachineSummary& machine) {
  if (auto reason = cannot_run(check, machine); !reason.empty() || !check.part) return reason;
  const auto is_drive = [&](const auto& name) { return sysfs.exists("sys/block/" + name + "/device"); };
  switch (*check.part) {
    case Part::nvidia_gpu:
      return machine.gpu_count == 0 ? "no NVIDIA GPU" : "";
    case Part::rdma_device:
      return topology::hcas(sysfs).empty() ? "no RDMA device" : "";
    case Part::several_drives:
      return std::ranges::count_if(sysfs.list("sys/block"), is_drive) < 2 ? "one drive has no siblings" : "";
    case Part::topology_file:
      return topology_file(sysfs, std::nullopt) || find_machine(sysfs).switches == topology::Switches::recognised
                 ? ""
                 : "NCCL is told no topology file here";
  }
  return {};
}

}  // namespace muster::healthcheck
