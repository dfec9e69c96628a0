// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/facts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <system_error>

#include "topology/devices/drives_below.hpp"
#include "topology/devices/nvme.hpp"
#include "topology/devices/raid.hpp"
#include "topology/kernel/error.hpp"
#include "topology/kernel/mounts.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck::scratch {
namespace {

constexpr std::uint64_t sector = 512;  // in which sysfs counts
constexpr std::string_view mountinfo = "proc/1/mountinfo";

// By block device: of one that others lie on, also of those.
struct Uses {
  std::map<std::string, std::vector<std::string>> mounts;
  std::set<std::string> swap;
  std::string mounted;  // what is at the place of scratch
};

std::set<std::string> with_those_below(const topology::Sysfs& sysfs, const std::string& device) {
  auto devices = topology::whole_devices(sysfs, device);
  devices.insert(device);
  return devices;
}

Uses uses_of(const topology::Sysfs& sysfs, const std::filesystem::path& place) {
  const auto mounts = topology::parsed(sysfs, mountinfo, topology::mounts);
  if (!mounts)
    throw topology::Error(mountinfo, sysfs.live() ? "cannot be read: start muster as root, and a pod of it with hostPID"
                                                  : "is not in this captured tree");
  Uses uses;
  for (const auto& mount : *mounts) {
    const auto device = topology::block_device(sysfs, mount);
    if (mount.point == place) uses.mounted = device.value_or(mount.source);
    if (!device) continue;
    for (const auto& each : with_those_below(sysfs, *device)) uses.mounts[each].push_back(mount.point);
  }
  // Name, type, size ...; files are used by what they lie on, which is mounted.
  const auto swaps = sysfs.text("proc/swaps").value_or("");
  for (const auto line : topology::lines(swaps)) {
    const auto word = topology::words(line);
    if (word.empty() || !word.front().starts_with("/dev/")) continue;
    const auto file = std::string(word.front().substr(1));
    const auto name = sysfs.link_name(file).value_or(file.substr(file.rfind('/') + 1));
    uses.swap.merge(with_those_below(sysfs, name));
  }
  return uses;
}

std::string number_of(const topology::Sysfs& sysfs, const std::string& name) {
  return sysfs.text(fmt::format("sys/block/{}/dev", name)).value_or("");
}

std::uint64_t bytes_of(const topology::Sysfs& sysfs, const std::string& name) {
  return static_cast<std::uint64_t>(sysfs.number(fmt::format("sys/block/{}/size", name)).value_or(0)) * sector;
}

Contents contents_at(const topology::Sysfs& sysfs, const std::string& name, std::uint64_t bytes, std::uint64_t ends) {
  try {
    return contents_of(opened(sysfs, name, O_RDONLY), bytes, ends);
  } catch (const std::exception& error) {
    return {.problem = error.what()};
  }
}

// Also where a process that this one cannot see has it mounted.
bool is_claimed(const topology::Sysfs& sysfs, const std::string& name) {
  try {
    opened(sysfs, name, O_RDONLY | O_EXCL);
    return false;
  } catch (const std::system_error&) {
    return true;
  }
}

Drive drive_at(const topology::Sysfs& sysfs, const topology::NvmeDrive& controller, const std::string& name,
               const Wishes& wishes, const Uses& uses) {
  const auto folder = fmt::format("sys/block/{}", name);
  Drive drive{.name = name,
              .number = number_of(sysfs, name),
              .model = controller.model,
              .serial = controller.serial,
              .bytes = bytes_of(sysfs, name),
              .is_of_model = fnmatch(wishes.model.c_str(), controller.model.c_str(), 0) == 0};
  if (!drive.is_of_model) return drive;
  drive.is_read_only = sysfs.text(folder + "/ro") == "1";
  drive.is_swap = uses.swap.contains(name);
  drive.holders = sysfs.list(folder + "/holders");
  std::ranges::copy_if(sysfs.list(folder), std::back_inserter(drive.partitions),
                       [&](const auto& entry) { return sysfs.exists(fmt::format("{}/{}/partition", folder, entry)); });
  if (const auto mounts = uses.mounts.find(name); mounts != uses.mounts.end()) drive.mounts = mounts->second;
  drive.contents = contents_at(sysfs, name, drive.bytes, ends_of_drive);
  drive.is_claimed = drive.contents.is_blank && is_claimed(sysfs, name);
  return drive;
}

Array array_of(const topology::Sysfs& sysfs, const topology::RaidArray& raid, const Uses& uses) {
  Array array{.name = raid.name,
              .number = number_of(sysfs, raid.name),
              .bytes = bytes_of(sysfs, raid.name),
              .is_running = raid.state != "inactive" && raid.state != "broken"};
  if (const auto mounts = uses.mounts.find(raid.name); mounts != uses.mounts.end()) array.mounts = mounts->second;
  if (array.is_running && array.mounts.empty())
    array.contents = contents_at(sysfs, raid.name, array.bytes, ends_of_array);
  return array;
}

bool has_one_of(const topology::RaidArray& raid, const std::vector<Drive>& drives) {
  return std::ranges::any_of(raid.members, [&](const auto& member) {
    return std::ranges::any_of(drives, [&](const auto& drive) {
      return drive.is_of_model && (member.device == drive.name || member.device.starts_with(drive.name + "p"));
    });
  });
}

// Without multipath of NVMe each path to a namespace is a block device of its own: it is known by its subsystem, and by
// what the drive itself is called by, as where a hypervisor hands its controllers on as those of two drives.
void name_other_paths(const topology::Sysfs& sysfs, const std::vector<std::string>& identities,
                      std::vector<Drive>& drives) {
  std::map<std::string, std::vector<Drive*>> by_identity;
  for (std::size_t at = 0; at < drives.size(); ++at) {
    by_identity[identities[at]].push_back(&drives[at]);
    const auto own = sysfs.text(fmt::format("sys/block/{}/wwid", drives[at].name));
    if (own && !own->empty()) by_identity[*own].push_back(&drives[at]);
  }
  for (const auto& [identity, same] : by_identity)
    for (std::size_t path = 0; same.size() > 1 && path < same.size(); ++path)
      same[path]->other_path = same[(path + 1) % same.size()]->name;
}

}  // namespace

Facts facts_of(const topology::Sysfs& sysfs, const Wishes& wishes) {
  const auto uses = uses_of(sysfs, wishes.mount_at);
  Facts facts{.drives = {}, .arrays = {}, .mounted = uses.mounted};
  std::vector<std::string> identities;
  for (const auto& controller : topology::nvme_drives(sysfs))
    for (const auto& name : topology::namespaces(sysfs, controller))
      if (std::ranges::find(facts.drives, name, &Drive::name) == facts.drives.end()) {  // or it has two paths
        facts.drives.push_back(drive_at(sysfs, controller, name, wishes, uses));
        identities.push_back(topology::identity(controller, name));
      }
  name_other_paths(sysfs, identities, facts.drives);
  for (const auto& raid : topology::raid_arrays(sysfs))
    if (has_one_of(raid, facts.drives)) facts.arrays.push_back(array_of(sysfs, raid, uses));
  return facts;
}

results::Descriptor opened(const topology::Sysfs& sysfs, const std::string& name, int flags) {
  const auto number = sysfs.live() ? std::optional(number_of(sysfs, name)) : std::nullopt;
  return opened(sysfs.path("dev/" + name), number, flags);
}

}  // namespace muster::healthcheck::scratch
