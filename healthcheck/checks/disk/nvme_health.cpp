// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/disk/smart.hpp"
#include "benchmarks/error.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/kernel_facts.hpp"
#include "healthcheck/parts/disk/disk_facts.hpp"
#include "topology/devices/nvme.hpp"
#include "topology/devices/raid.hpp"
#include "topology/kernel/filesystems.hpp"
#include "topology/machine/pci_link.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;
using results::Quantity;
using results::Unit;
using topology::NvmeDrive;

// The facts of one run.
class Storage {
 public:
  explicit Storage(Context& context)
      : context_(context),
        sysfs_(context.sysfs()),
        facts_(context, "nvme_health"),
        drives_(topology::nvme_drives(sysfs_)),
        found_(!drives_.empty()) {}

  // What may hang comes last, one by one, so that the phase names it.
  void read() {
    context_.phase("reading the kernel's files");
    facts_.add("drive_count", results::count(topology::count_of_drives(sysfs_, drives_)));
    for (const auto& drive : topology::one_of_each_subsystem(sysfs_, drives_)) facts_.attempt([&] { identity(drive); });
    for (const auto& controller : drives_)
      for (const auto subject : {&Storage::controller, &Storage::link})
        facts_.attempt([&] { (this->*subject)(controller); });
    for (const auto kin : {topology::Kin::drive, topology::Kin::name_space})
      facts_.attempt([&] { facts_.compare(kin); });
    facts_.attempt([&] { fabrics(); });
    facts_.attempt([&] { arrays(); });
    facts_.save();
    for (const auto& drive : drives_) {
      context_.phase("asking " + drive.name);
      facts_.attempt([&] { smart(drive); });
      facts_.save();
    }
    facts_.attempt([&] { filesystems(); });
    facts_.save();
    if (!found_) throw Skip("no NVMe drive, RAID array or file system on a block device");
    facts_.end();
  }

 private:
  // Of the drive, whichever controller says it (NVM Express base specification 2.0, 5.17.2.1).
  void identity(const NvmeDrive& drive) {
    facts_.add_text("model", drive.model, labels_of(drive));
    Labels of_its_kind = labels_of(drive);
    of_its_kind.emplace("model", drive.model);
    facts_.add_text("firmware", drive.firmware, of_its_kind);
  }

  void controller(const NvmeDrive& drive) {
    facts_.add_text("state", drive.state, labels_of(drive));
    facts_.add("namespaces", results::count(topology::namespaces(sysfs_, drive).size()), labels_of(drive));
    facts_.add_text("numa_node", sysfs_.text(folder(drive) + "/numa_node").value_or(""), labels_of(drive));
  }

  // Of a drive in another machine only the way to it is looked at.
  void fabrics() {
    for (const auto& controller : topology::fabrics_controllers(sysfs_)) {
      found_ = true;
      Labels labels = {{"drive", controller.name}, {"transport", controller.transport}};
      if (!controller.address.empty()) labels.emplace("address", controller.address);
      facts_.add_text("state", controller.state, labels);
    }
  }

  // As a share of what the drive and its slot can.
  void link(const NvmeDrive& drive) {
    const auto now = topology::link_now(sysfs_, folder(drive));
    const auto most = topology::link_at_most(sysfs_, folder(drive));
    const auto speed = topology::total_speed(now);
    const auto limit = topology::total_speed(most);
    if (!speed || !limit || !now.width || !most.width) return;
    Labels labels = labels_of(drive);
    labels.emplace("link", topology::to_text(now));
    labels.emplace("most", topology::to_text(most));
    facts_.add("pcie_link", Quantity{*speed / *limit}, labels);
  }

  // Mostly a captured tree has the kernel's files alone.
  bool has_devices() const {
    return sysfs_.live() ||
           std::ranges::any_of(drives_, [&](const NvmeDrive& drive) { return sysfs_.exists("dev/" + drive.name); });
  }

  // A controller's log is of its own life (the same, 5.16.1.3).
  void smart(const NvmeDrive& drive) {
    try {
      add(benchmarks::disk::smart(sysfs_.path("dev/" + drive.name)), labels_of(drive));
      facts_.add("smart", "read", labels_of(drive));
    } catch (const benchmarks::Error& error) {
      facts_.add("smart", has_devices() ? error.what() : "a captured tree has no drive to ask", labels_of(drive));
      if (const auto celsius = topology::temperature(sysfs_, drive))
        facts_.add("temperature", Quantity{*celsius, Unit::celsius}, labels_of(drive));
    }
  }

  void add(const benchmarks::disk::Smart& smart, const Labels& labels) {
    Labels warning = labels;
    if (smart.critical_warning != 0) warning.emplace("warns_of", benchmarks::disk::warns_of(smart.critical_warning));
    facts_.add("critical_warning", Quantity{static_cast<double>(smart.critical_warning)}, warning);
    facts_.add("temperature", Quantity{smart.temperature_celsius, Unit::celsius}, labels);
    facts_.add("spare", Quantity{smart.spare}, labels);
    facts_.add("spare_threshold", Quantity{smart.spare_threshold}, labels);
    facts_.add("used", Quantity{smart.used}, labels);
    facts_.add("written", Quantity{smart.written_bytes, Unit::byte}, labels);
    facts_.add("power_on_time", Quantity{smart.power_on_seconds, Unit::second}, labels);
    facts_.add("unsafe_shutdowns", Quantity{smart.unsafe_shutdowns}, labels);
    facts_.add("media_errors", Quantity{smart.media_errors}, labels);
    facts_.add("error_log_entries", Quantity{smart.error_log_entries}, labels);
  }

  void arrays() {
    for (const auto& array : topology::raid_arrays(sysfs_)) {
      found_ = true;
      Labels labels = {{"array", array.name}, {"level", array.level}};
      facts_.add_text("array_state", array.state, labels);
      if (array.missing) facts_.add("array_missing", Quantity{static_cast<double>(*array.missing)}, labels);
      for (const auto& member : array.members) {
        Labels of_member = on(member.device);
        of_member.emplace("array", array.name);
        facts_.add_text("member_state", member.state, of_member);
      }
    }
  }

  void filesystems() {
    for (const auto& filesystem : topology::filesystems(sysfs_)) {
      found_ = true;
      context_.phase("looking at the file system of " + filesystem.device);
      Labels labels = on(filesystem.device);
      labels.emplace("mount", filesystem.point);
      facts_.add("filesystem_access", std::string(topology::to_text(filesystem.access)), labels);
      if (filesystem.errors) facts_.add("filesystem_errors", Quantity{static_cast<double>(*filesystem.errors)}, labels);
      if (const auto share = free_share(filesystem)) facts_.add("free_space", *share, labels);
    }
  }

  // Nothing for one that nobody writes, and for those of a captured tree, which are not mounted here. Where the file
  // system does not say it, why.
  std::optional<results::Value> free_share(const topology::Filesystem& filesystem) const {
    if (!sysfs_.live() || filesystem.access != topology::Access::read_write) return std::nullopt;
    std::error_code error;
    const auto space = std::filesystem::space(filesystem.point, error);
    if (error == std::errc::permission_denied) return std::nullopt;
    if (error) return error.message();
    if (space.capacity == 0) return std::nullopt;
    return Quantity{static_cast<double>(space.available) / static_cast<double>(space.capacity)};
  }

  // A block device, and the drive that it is or lies on.
  Labels on(const std::string& device) const {
    Labels labels = {{"device", device}};
    if (const auto drive = topology::drive_of(sysfs_, drives_, device)) labels.merge(labels_of(*drive));
    return labels;
  }

  static std::string folder(const NvmeDrive& drive) { return "sys/class/nvme/" + drive.name + "/device"; }

  Context& context_;
  const topology::Sysfs& sysfs_;
  KernelFacts facts_;
  std::vector<NvmeDrive> drives_;
  bool found_;
};

class NvmeHealth final : public Check {
 public:
  Description describe() const override {
    return {.name = "nvme_health",
            .summary = "NVMe drives, RAID arrays and file systems: state, wear, errors, links and space",
            .scope = Scope::once,
            .resources = {},
            .tier = results::Tier::preflight,
            .typical_seconds = 0.1,
            .reads_tree_only = true};
  }

  void run(Context& context) override { Storage(context).read(); }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<NvmeHealth>(); }

}  // namespace muster::healthcheck
