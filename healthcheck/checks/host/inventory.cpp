// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/errors_since.hpp"
#include "healthcheck/check/kernel_facts.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/cpu/cpus.hpp"
#include "topology/cpu/numa.hpp"
#include "topology/devices/hyperv.hpp"
#include "topology/devices/infiniband.hpp"
#include "topology/devices/nvidia.hpp"
#include "topology/devices/nvme.hpp"
#include "topology/devices/pci.hpp"
#include "topology/evidence/evidence.hpp"
#include "topology/kernel/meminfo.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/machine/fingerprint.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;
using results::Quantity;
using results::Unit;
using topology::Sysfs;

constexpr std::string_view state_file = "inventory.json";

// What taints the kernel until the next boot, by its bit: Linux Documentation/admin-guide/tainted-kernels.rst.
struct Taint {
  int bit;
  const char* name;
};
constexpr std::array taints = {Taint{4, "machine_check"}, Taint{5, "bad_page"}, Taint{7, "oops"},
                               Taint{14, "soft_lockup"}};

// The facts of one run.
class Inventory {
 public:
  explicit Inventory(Context& context)
      : sysfs_(context.sysfs()), state_(context.settings().state), facts_(context, "inventory") {}

  void take() {
    for (const auto subject :
         {&Inventory::host, &Inventory::kernel, &Inventory::cpus, &Inventory::numa, &Inventory::memory,
          &Inventory::gpus, &Inventory::nics, &Inventory::drives, &Inventory::siblings, &Inventory::errors}) {
      facts_.attempt([&] { (this->*subject)(); });
      facts_.save();
    }
    facts_.end();
  }

 private:
  void host() {
    for (const auto& [key, text] : topology::fingerprint(sysfs_)) facts_.add("host." + key, text);
    if (const auto pool = topology::hyperv_pool(sysfs_))
      for (const auto& problem : pool->problems) sysfs_.damaged({topology::hyperv_pool_file, problem});
  }

  // It remembers faults that its log may have lost.
  void kernel() {
    const auto tainted = sysfs_.number("proc/sys/kernel/tainted");
    if (!tainted) return;
    for (const auto& [bit, name] : taints)
      facts_.add("kernel_taint", Quantity{static_cast<double>(*tainted >> bit & 1)}, {{"taint", name}});
  }

  void cpus() {
    const auto cpus = topology::cpus(sysfs_);
    if (!cpus) return;
    facts_.add("cpu_count", results::count(cpus->online.size()));
    const auto missing = cpus->missing();
    facts_.add("cpus_offline", results::count(missing),
               missing == 0 ? Labels() : Labels{{"cpus", topology::to_text(cpus->offline())}});
  }

  void numa() {
    const auto nodes = topology::numa_nodes(sysfs_);
    facts_.add("numa_count", results::count(nodes.size()));
    for (const auto& node : nodes)
      facts_.add("numa_memory", Quantity{node.memory_bytes, Unit::byte}, {{"numa", std::to_string(node.number)}});
  }

  void memory() {
    const auto memory = topology::parsed(sysfs_, "proc/meminfo", topology::meminfo).value_or(topology::Meminfo());
    if (const auto total = memory.find("MemTotal"); total != memory.end())
      facts_.add("memory", Quantity{total->second, Unit::byte});
    if (const auto poisoned = memory.find("HardwareCorrupted"); poisoned != memory.end())
      facts_.add("memory_hardware_corrupted", Quantity{poisoned->second, Unit::byte});
  }

  void gpus() {
    const auto gpus = topology::nvidia_gpus(sysfs_);
    facts_.add("gpu_count", results::count(gpus.size()));
    for (std::size_t index = 0; index < gpus.size(); ++index) {
      const Labels labels = {{"gpu", std::to_string(index)}, {"pci", gpus[index].address}};
      facts_.add("gpu_present", topology::answers(sysfs_, gpus[index]) ? "present" : "lost", labels);
      if (const auto information = topology::nvidia_information(sysfs_, gpus[index].address))
        facts_.add_text("gpu_model", information->model, labels);
      if (const auto numa = gpus[index].numa_node) facts_.add("gpu_numa_node", std::to_string(*numa), labels);
    }
  }

  void nics() {
    const auto nics = topology::infiniband_hcas(sysfs_);
    facts_.add("nic_count", results::count(nics.size()));
    for (const auto& nic : nics) {
      facts_.add_text("nic_firmware", nic.firmware.value_or(""), {{"nic", nic.name}});
      for (const auto& port : nic.ports) facts_.attempt([&] { port_rate(nic, port); });
    }
  }

  void port_rate(const topology::Hca& nic, const topology::HcaPort& port) {
    if (const auto rate = topology::port_rate(sysfs_, nic, port))
      facts_.add("port_rate", Quantity{*rate, Unit::bit_per_second},
                 {{"nic", nic.name}, {"port", std::to_string(port.number)}});
  }

  void drives() {
    const auto drives = topology::nvme_drives(sysfs_);
    facts_.add("drive_count", results::count(topology::count_of_drives(sysfs_, drives)));
    for (const auto& drive : topology::one_of_each_subsystem(sysfs_, drives)) {
      facts_.add_text("drive_model", drive.model, {{"drive", drive.name}});
      facts_.add_text("drive_firmware", drive.firmware, {{"drive", drive.name}, {"model", drive.model}});
    }
  }

  void siblings() {
    for (const auto kin :
         {topology::Kin::gpu, topology::Kin::function, topology::Kin::numa, topology::Kin::memory_controller})
      facts_.attempt([&] { facts_.compare(kin); });
  }

  // Of memory and PCI Express; other counters are read for what they tell of a damaged file.
  void errors() {
    for (const auto source :
         {topology::thermal_throttle, topology::network, topology::block_devices, topology::pressure})
      facts_.attempt([&] { source(sysfs_); });
    auto counted = topology::edac(sysfs_);
    std::ranges::move(topology::pcie_aer(sysfs_), std::back_inserter(counted));
    const auto file = state_ ? std::optional(*state_ / state_file) : std::nullopt;
    const auto since = errors_since(sysfs_, std::move(counted), file);
    if (!since.problem.empty()) facts_.add("last_reading", since.problem);
    for (const auto& [counter, is_since_last_run] : since.errors) {
      auto labels = counter.labels;
      labels.emplace("since", is_since_last_run ? "the last run" : "boot");
      facts_.add(subject(counter.metric), Quantity{counter.value}, std::move(labels));
    }
  }

  // "edac.correctable" -> "edac_correctable"
  static std::string subject(std::string metric) {
    std::ranges::replace(metric, '.', '_');
    return metric;
  }

  const Sysfs& sysfs_;
  const std::optional<std::filesystem::path>& state_;
  KernelFacts facts_;
};

class InventoryCheck : public Check {
 public:
  Description describe() const override {
    return {.name = "inventory",
            .summary = "What this machine is: CPUs, memory, GPUs, NICs, drives, versions and firmware",
            .scope = Scope::once,
            .resources = {},
            .tier = results::Tier::preflight,
            .typical_seconds = 0.1,
            .reads_tree_only = true};
  }

  void run(Context& context) override {
    context.phase("reading the kernel's files");
    Inventory(context).take();
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<InventoryCheck>(); }

}  // namespace muster::healthcheck
