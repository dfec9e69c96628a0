// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/drives_below.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "topology/devices/raid.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

DrivesBelow members_of(const RaidArray& array) {
  if (array.level != "raid0" || array.chunk_bytes <= 0)
    throw Error(
        fmt::format("it lies on the array {} of level {}, which does not tell which drive answers; of level "
                    "raid0 one can",
                    array.name, array.level));
  DrivesBelow below{.array = array.name, .chunk_bytes = array.chunk_bytes, .devices = {}};
  below.devices.resize(array.members.size());
  for (const auto& member : array.members) {
    const auto slot = static_cast<std::size_t>(member.slot.value_or(-1));
    if (slot >= below.devices.size()) throw Error(fmt::format("the array {} lacks a member", array.name));
    below.devices[slot] = member.device;
  }
  if (std::ranges::count(below.devices, "") > 0) throw Error(fmt::format("the array {} lacks a member", array.name));
  return below;
}

bool is_memory(const Sysfs& sysfs, const std::string& device) {
  if (device.starts_with("zram") || device.starts_with("ram")) return true;
  const auto whole = device.substr(0, device.find('p', std::string_view("loop").size()));  // of a partition
  return device.starts_with("loop") && sysfs.text(fmt::format("sys/block/{}/loop/dio", whole)) != "1";
}

std::optional<std::string> memory_at_or_below(const Sysfs& sysfs, const std::string& device) {
  if (is_memory(sysfs, device)) return device;
  for (const auto& below : sysfs.list(fmt::format("sys/class/block/{}/slaves", device)))
    if (auto found = memory_at_or_below(sysfs, below)) return found;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> memory_below(const Sysfs& sysfs, std::string_view number) {
  const auto device = sysfs.link_name(fmt::format("sys/dev/block/{}", number));
  return device ? memory_at_or_below(sysfs, *device) : std::nullopt;
}

std::set<std::string> whole_devices(const Sysfs& sysfs, const std::string& device) {
  const auto folder = "sys/class/block/" + device;
  std::set<std::string> whole;
  for (const auto& below : sysfs.list(folder + "/slaves")) whole.merge(whole_devices(sysfs, below));
  if (!whole.empty()) return whole;
  const auto link = sysfs.exists(folder + "/partition") ? sysfs.link(folder) : std::nullopt;
  if (!link) return {device};
  return whole_devices(sysfs, std::filesystem::path(*link).parent_path().filename());
}

DrivesBelow drives_below(const Sysfs& sysfs, std::string_view number) {
  const auto name = sysfs.link_name(fmt::format("sys/dev/block/{}", number));
  if (!name) throw Error("it lies on no block device");
  for (const auto& array : raid_arrays(sysfs)) {
    if (*name == array.name) return members_of(array);
    if (name->starts_with(array.name + "p")) throw Error(fmt::format("it lies on a part of the array {}", array.name));
  }
  if (!sysfs.list(fmt::format("sys/class/block/{}/slaves", *name)).empty())
    throw Error(fmt::format("it lies on {}, and the kernel does not tell which drive below has what", *name));
  return {.array = {}, .devices = {*name}};
}

}  // namespace muster::topology
