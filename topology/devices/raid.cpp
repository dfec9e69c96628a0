// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/raid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace muster::topology {
namespace {

constexpr std::string_view works = "in_sync";
constexpr std::string_view gone = "gone";  // our word: md still says in_sync of it, until it is used
// Of those that the kernel says at once, the worst.
constexpr std::array<std::string_view, 6> states = {"faulty", "want_replacement", "write_error",
                                                    works,    "journal",          "spare"};
constexpr std::string_view stopped = "clear";  // what is left of an array for a while: no level, no members
constexpr std::string_view folder_of_devices = "sys/class/block";
constexpr std::string_view prefix_of_members = "dev-";

// "in_sync,write_mostly" -> "in_sync"
std::string state_of(std::string text) {
  for (const auto state : states)
    if (text.find(state) != std::string::npos) return std::string(state);
  return text;
}

std::optional<std::int64_t> slot_of(const Sysfs& sysfs, const std::string& member) {
  if (sysfs.text(member + "/slot") == "none") return std::nullopt;
  return sysfs.number(member + "/slot");
}

RaidMember member_of(const Sysfs& sysfs, const std::string& folder, std::string device) {
  const bool is_gone =
      !sysfs.list(folder_of_devices).empty() && !sysfs.exists(fmt::format("{}/{}", folder_of_devices, device));
  auto state = is_gone ? std::string(gone) : state_of(sysfs.text(folder + "/state").value_or(""));
  return {.device = std::move(device), .state = std::move(state), .slot = slot_of(sysfs, folder)};
}

// Where the level has spares for it the kernel counts; else every device that does not work is missing.
std::optional<std::int64_t> missing_of(const Sysfs& sysfs, const std::string& folder, const RaidArray& array) {
  if (const auto degraded = sysfs.number(folder + "/degraded")) return degraded;
  const auto wanted = sysfs.number(folder + "/raid_disks");
  if (!wanted) return std::nullopt;
  return *wanted - std::ranges::count(array.members, works, &RaidMember::state);
}

// Of firmware's RAID (IMSM, DDF): what its arrays are made of, "external:imsm", and no array; those are
// "external:/md127/0".
bool is_container(const Sysfs& sysfs, const std::string& folder) {
  const auto metadata = sysfs.text(folder + "/metadata_version").value_or("");
  return metadata.starts_with("external:") && !metadata.starts_with("external:/");
}

}  // namespace

std::vector<RaidArray> raid_arrays(const Sysfs& sysfs) {
  std::vector<RaidArray> arrays;
  for (const auto& name : sysfs.list("sys/block")) {
    const auto folder = "sys/block/" + name + "/md";
    if (!sysfs.exists(folder) || is_container(sysfs, folder) || sysfs.text(folder + "/array_state") == stopped)
      continue;
    RaidArray array{.name = name,
                    .level = sysfs.text(folder + "/level").value_or(""),
                    .state = sysfs.text(folder + "/array_state").value_or(""),
                    .chunk_bytes = sysfs.number(folder + "/chunk_size").value_or(0),
                    .members = {},
                    .missing = {}};
    for (const auto& member : sysfs.list(folder))
      if (member.starts_with(prefix_of_members))
        array.members.push_back(member_of(sysfs, folder + "/" + member, member.substr(prefix_of_members.size())));
    array.missing = missing_of(sysfs, folder, array);
    arrays.push_back(std::move(array));
  }
  return arrays;
}

}  // namespace muster::topology
