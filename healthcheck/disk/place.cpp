// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/disk/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/error.hpp"
#include "topology/block_traffic.hpp"
#include "topology/drives_below.hpp"
#include "topology/mounts.hpp"
#include "topology/parsed.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Direction;
using results::Quantity;
using results::Unit;

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t usual_bytes = 2048 * mebibyte;
constexpr std::size_t usual_least_bytes = 256 * mebibyte;
constexpr double least_free_share = 0.1;
constexpr std::array<std::string_view, 4> no_disks = {"tmpfs", "ramfs", "overlay", "devtmpfs"};

template <typename Number>
std::string text(Number bytes) {
  return results::to_text(Quantity{static_cast<double>(bytes), Unit::byte});
}

}  // namespace

Place place_at(const topology::Sysfs& sysfs, const std::filesystem::path& path) {
  Place place{.path = path, .mount = {}, .filesystem = {}, .device = {}, .labels = {{"path", path.string()}}};
  const auto mounts = topology::parsed(sysfs, "proc/self/mountinfo", topology::mounts);
  const auto mount = topology::mount_above(mounts.value_or(std::vector<topology::Mount>()), path.string());
  if (!mount) return place;
  place.mount = mount->point;
  place.filesystem = mount->type;
  place.device = mount->device;
  if (const auto name = sysfs.link_name("sys/dev/block/" + mount->device)) place.labels.emplace("device", *name);
  return place;
}

void expect_disk(const topology::Sysfs& sysfs, const Place& place) {
  if (place.filesystem.empty()) throw benchmarks::Error("it is not known which file system it lies on");
  if (std::ranges::find(no_disks, place.filesystem) != no_disks.end())
    throw benchmarks::Error(fmt::format("it is on {}, which is not a disk", place.filesystem));
  if (const auto memory = topology::memory_below(sysfs, place.device))
    throw benchmarks::Error(fmt::format("it is on {}, for which memory answers", *memory));
}

std::size_t file_bytes(const std::filesystem::path& folder, const DiskSettings& settings) {
  const auto room = benchmarks::room(folder);
  const auto kept =
      std::max(least_free_share * static_cast<double>(room.bytes), static_cast<double>(settings.reserve_bytes));
  const double most = static_cast<double>(room.available) - kept - static_cast<double>(benchmarks::OwnFile::data_begin);
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
  return Quantity{(*after - *before) / claimed_bytes};
}

}  // namespace muster::healthcheck
