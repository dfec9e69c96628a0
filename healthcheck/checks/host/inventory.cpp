// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <vector>

#include "healthcheck/check.hpp"
#include "healthcheck/context.hpp"
#include "topology/cpu_list.hpp"
#include "topology/cpus.hpp"
#include "topology/error.hpp"
#include "topology/fingerprint.hpp"
#include "topology/hyperv.hpp"
#include "topology/infiniband.hpp"
#include "topology/meminfo.hpp"
#include "topology/numa.hpp"
#include "topology/nvidia.hpp"
#include "topology/nvme.hpp"
#include "topology/parsed.hpp"
#include "topology/pci.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;
using results::Quantity;
using results::Unit;
using topology::Sysfs;

// The facts of one run, each subject on its own: a damaged file costs the facts that need it and no others.
class Inventory {
 public:
  explicit Inventory(Context& context) : context_(context), sysfs_(context.sysfs()) {}

  void take() {
    for (const auto subject : {&Inventory::host, &Inventory::cpus, &Inventory::numa, &Inventory::memory,
                               &Inventory::gpus, &Inventory::nics, &Inventory::drives})
      attempt([&] { (this->*subject)(); });
    add("unreadable_files", results::count(unreadable_));
  }

 private:
  void add(std::string_view subject, results::Value value, Labels labels = {}) {
    context_.add(fmt::format("inventory.{}", subject), std::move(value), std::move(labels));
  }

  void add_text(std::string_view subject, const std::string& text, Labels labels) {
    if (!text.empty()) add(subject, text, std::move(labels));
  }

  void damaged(const std::string& path, const std::string& sentence) {
    ++unreadable_;
    add("unreadable", sentence, {{"path", path}});
  }

  template <class Read>
  void attempt(Read read) {
    try {
      read();
    } catch (const topology::Error& error) {
      damaged(error.path(), error.what());
    }
  }

  void host() {
    for (const auto& [key, text] : topology::fingerprint(sysfs_)) add("host." + key, text);
    if (const auto pool = topology::hyperv_pool(sysfs_))
      for (const auto& problem : pool->problems) damaged(std::string(topology::hyperv_pool_file), problem);
  }

  void cpus() {
    const auto cpus = topology::cpus(sysfs_);
    if (!cpus) return;
    add("cpu_count", results::count(cpus->online.size()));
    const auto missing = cpus->missing();
    add("cpus_offline", results::count(missing),
        missing == 0 ? Labels() : Labels{{"cpus", topology::to_text(cpus->offline())}});
  }

  void numa() { add("numa_count", results::count(topology::numa_nodes(sysfs_).size())); }

  void memory() {
    const auto memory = topology::parsed(sysfs_, "proc/meminfo", topology::meminfo).value_or(topology::Meminfo());
    if (const auto total = memory.find("MemTotal"); total != memory.end())
      add("memory", Quantity{total->second, Unit::byte});
    if (const auto poisoned = memory.find("HardwareCorrupted"); poisoned != memory.end())
      add("memory_hardware_corrupted", Quantity{poisoned->second, Unit::byte});
  }

  void gpus() {
    const auto gpus = topology::nvidia_gpus(sysfs_);
    add("gpu_count", results::count(gpus.size()));
    for (std::size_t index = 0; index < gpus.size(); ++index) {
      const Labels labels = {{"gpu", std::to_string(index)}, {"pci", gpus[index].address}};
      add("gpu_present", topology::answers(sysfs_, gpus[index]) ? "present" : "lost", labels);
      if (const auto information = topology::nvidia_information(sysfs_, gpus[index].address))
        add_text("gpu_model", information->model, labels);
    }
  }

  void nics() {
    const auto nics = topology::infiniband_hcas(sysfs_);
    add("nic_count", results::count(nics.size()));
    for (const auto& nic : nics) {
      add_text("nic_firmware", nic.firmware.value_or(""), {{"nic", nic.name}});
      for (const auto& port : nic.ports) attempt([&] { port_rate(nic, port); });
    }
  }

  void port_rate(const topology::Hca& nic, const topology::HcaPort& port) {
    if (const auto rate = topology::port_rate(sysfs_, nic, port))
      add("port_rate", Quantity{*rate, Unit::bit_per_second},
          {{"nic", nic.name}, {"port", std::to_string(port.number)}});
  }

  void drives() {
    const auto drives = topology::nvme_drives(sysfs_);
    add("drive_count", results::count(drives.size()));
    for (const auto& drive : drives) {
      add_text("drive_model", drive.model, {{"drive", drive.name}});
      add_text("drive_firmware", drive.firmware, {{"drive", drive.name}});
    }
  }

  Context& context_;
  const Sysfs& sysfs_;
  std::size_t unreadable_ = 0;
};

class InventoryCheck : public Check {
 public:
  Description describe() const override {
    return {.name = "inventory",
            .summary = "what this machine is: CPUs, memory, GPUs, NICs, drives, versions and firmware",
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
