// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/disk/disk_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/error.hpp"
#include "topology/counters/block_traffic.hpp"
#include "topology/devices/drives_below.hpp"
#include "topology/kernel/mounts.hpp"
#include "topology/kernel/parsed.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::disk::Direction;
using results::Quantity;
using results::Unit;

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t usual_bytes = 2048 * mebibyte;
constexpr std::size_t usual_least_bytes = 256 * mebibyte;
constexpr double min_free_share = 0.1;
constexpr std::array<std::string_view, 4> no_disks = {"tmpfs", "ramfs", "overlay", "devtmpfs"};

constexpr std::array<std::string_view, 14> remote = {"9p",       "afs",  "beegfs",   "ceph",  "cifs",
                                                     "fuse",     "gpfs", "lustre",   "nfs",   "nfs4",
                                                     "orangefs", "smb3", "virtiofs", "wekafs"};
constexpr std::chrono::seconds answer_timeout{1};

// A folder without links, or why it is none.
struct Answer {
  std::filesystem::path folder;
  std::string problem;
};

Answer ask_for(const std::filesystem::path& path) {
  std::error_code error;
  auto folder = std::filesystem::canonical(path, error);
  const bool is_folder = !error && std::filesystem::is_directory(folder, error);
  if (is_folder) return {.folder = std::move(folder), .problem = {}};
  return {.folder = {}, .problem = error ? error.message() : "is not a folder"};
}

template <typename Number>
std::string text(Number bytes) {
  return results::to_text(Quantity{static_cast<double>(bytes), Unit::byte});
}

}  // namespace

std::filesystem::path folder_at(const std::filesystem::path& path) {
  std::packaged_task<Answer(std::filesystem::path)> task(ask_for);
  auto answer = task.get_future();
  std::thread(std::move(task), path).detach();  // whoever waits for good is left behind
  if (answer.wait_for(answer_timeout) != std::future_status::ready)
    return (std::filesystem::absolute(path) / "").lexically_normal().parent_path();
  auto [folder, problem] = answer.get();
  if (!problem.empty()) throw benchmarks::Error(problem);
  return folder;
}

DiskTarget place_at(const topology::Sysfs& sysfs, const std::filesystem::path& path) {
  DiskTarget place{.path = path, .mount = {}, .filesystem = {}, .device = {}, .labels = {{"path", path.string()}}};
  const auto mounts = topology::parsed(sysfs, "proc/self/mountinfo", topology::mounts);
  const auto mount = topology::mount_above(mounts.value_or(std::vector<topology::Mount>()), path.string());
  if (!mount) return place;
  place.mount = mount->point;
  place.filesystem = mount->type;
  place.device = mount->device;
  if (const auto name = topology::block_device(sysfs, *mount)) {
    place.device = sysfs.text(fmt::format("sys/class/block/{}/dev", *name)).value_or(mount->device);
    place.labels.emplace("device", *name);
  }
  return place;
}

std::vector<std::vector<DiskTarget>> by_drives(const topology::Sysfs& sysfs, const std::vector<DiskTarget>& places) {
  std::vector<std::pair<std::set<std::string>, std::vector<DiskTarget>>> groups;
  for (const auto& place : places) {
    const auto device = sysfs.link_name("sys/dev/block/" + place.device);
    auto drives = device ? topology::whole_devices(sysfs, *device) : std::set{place.device};
    const auto is_apart = [&](const auto& group) {
      return std::ranges::none_of(drives, [&](const auto& drive) { return group.first.contains(drive); });
    };
    const auto sharing = std::ranges::stable_partition(groups, is_apart);
    std::vector<DiskTarget> together;
    for (auto& [others, own] : sharing) {
      drives.merge(others);
      std::ranges::move(own, std::back_inserter(together));
    }
    together.push_back(place);
    groups.erase(sharing.begin(), sharing.end());
    groups.emplace_back(std::move(drives), std::move(together));
  }
  std::vector<std::vector<DiskTarget>> all;
  for (auto& [drives, own] : groups) all.push_back(std::move(own));
  return all;
}

bool is_remote(const DiskTarget& place) {
  return place.filesystem.starts_with("fuse.") || std::ranges::find(remote, place.filesystem) != remote.end();
}

void expect_disk(const topology::Sysfs& sysfs, const DiskTarget& place) {
  if (place.filesystem.empty()) throw benchmarks::Error("it is not known which file system it lies on");
  if (std::ranges::find(no_disks, place.filesystem) != no_disks.end())
    throw benchmarks::Error(fmt::format("it is on {}, which is not a disk", place.filesystem));
  if (!place.named && is_remote(place))
    throw benchmarks::Error(
        fmt::format("it is on {}, no disk of this machine; name one with --path", place.filesystem));
  if (const auto memory = topology::memory_below(sysfs, place.device))
    throw benchmarks::Error(fmt::format("it is on {}, for which memory answers", *memory));
}

std::size_t file_bytes(const std::filesystem::path& folder, const DiskSettings& settings) {
  const auto room = benchmarks::disk::room(folder);
  const auto kept =
      std::max(min_free_share * static_cast<double>(room.bytes), static_cast<double>(settings.reserve_bytes));
  const double most =
      static_cast<double>(room.available) - kept - static_cast<double>(benchmarks::disk::OwnFile::data_begin);
  const auto least = settings.bytes.value_or(usual_least_bytes);
  if (most < static_cast<double>(least))
    throw benchmarks::Error(
        fmt::format("a file of {} would leave less than {} of {} free", text(least), text(kept), text(room.bytes)));
  return std::min(settings.bytes.value_or(usual_bytes), static_cast<std::size_t>(most)) / mebibyte * mebibyte;
}

DeviceBytes::DeviceBytes(const topology::Sysfs& sysfs, std::string number) : sysfs_(sysfs), number_(std::move(number)) {
  read_ = moved(Direction::read);
  written_ = moved(Direction::write);
}

std::optional<double> DeviceBytes::moved(Direction direction) const {
  const auto traffic = topology::block_traffic(sysfs_, number_);
  if (!traffic) return std::nullopt;
  return static_cast<double>(direction == Direction::read ? traffic->read_bytes : traffic->written_bytes);
}

results::Value DeviceBytes::share_of(Direction direction, double claimed_bytes) const {
  const auto before = direction == Direction::read ? read_ : written_;
  const auto after = moved(direction);
  if (!before || !after) return "no block device counts what this file system moves";
  if (claimed_bytes <= 0) return "nothing was moved";
  for (const auto* queue : {"queue", "../queue"})  // that of a partition is the whole device's; maps count all the same
    if (*after == *before && sysfs_.text(fmt::format("sys/dev/block/{}/{}/iostats", number_, queue)) == "0")
      return "the kernel does not count what this device moves: its queue/iostats is 0";
  return Quantity{(*after - *before) / claimed_bytes};
}

}  // namespace muster::healthcheck
