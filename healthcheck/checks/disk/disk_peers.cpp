// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/disk_error.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/disk/extents.hpp"
#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/disk/raw_drive.hpp"
#include "benchmarks/disk/workload.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/host/team.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/rate_fact.hpp"
#include "healthcheck/parts/disk/disk_check.hpp"
#include "healthcheck/parts/disk/disk_facts.hpp"
#include "healthcheck/parts/disk/disk_target.hpp"
#include "healthcheck/program/error.hpp"
#include "topology/devices/drives_below.hpp"
#include "topology/devices/nvme.hpp"
#include "topology/devices/raid.hpp"
#include "topology/kernel/error.hpp"

namespace muster::healthcheck {
namespace {

namespace disk = benchmarks::disk;
using benchmarks::disk::Access;
using benchmarks::disk::Direction;
using benchmarks::disk::Workload;
using results::Labels;
using topology::DrivesBelow;

// Of an array blocks are no larger than a chunk.
constexpr Workload sequential_reads{.pattern = Access::sequential, .block_bytes = std::size_t{128} << 10};
constexpr Workload random_reads{.pattern = Access::random, .block_bytes = 4096, .depth = 64};
constexpr Workload writes{.direction = Direction::write};

constexpr std::size_t buffer_bytes_of(const Workload& workload) { return workload.depth * workload.block_bytes; }

constexpr double share_of_writing = 0.3;
constexpr double share_of_reading = 0.35;  // of each pattern
constexpr double share_of_raw_reading = 0.5;

// A drive, and the part of the data that lies on it.
struct Drive {
  Labels labels;
  std::string number;                // "259:3"
  std::vector<std::uint64_t> parts;  // none: all of the data
};

// What was read of a drive, and how much of it the drive itself counted.
struct Reads {
  disk::Worked worked;
  results::Value through;
};

Reads counted(const Context& context, const std::string& number, const std::function<disk::Worked()>& work) {
  const DeviceBytes counted(context.sysfs(), number);
  Reads reads{.worked = work(), .through = {}};
  reads.through = counted.share_of(Direction::read, reads.worked.bytes);
  return reads;
}

// Siblings are the drives of one array, whatever they are: each bounds it. Others are those of one model.
Labels as_sibling(const topology::NvmeDrive& drive, const std::string& array) {
  auto labels = labels_of(drive);
  if (!array.empty())
    labels.emplace("array", array);
  else if (!drive.model.empty())
    labels.emplace("model", drive.model);
  return labels;
}

Labels labels_of_device(const topology::Sysfs& sysfs, const DrivesBelow& below, const std::string& device) {
  if (const auto drive = topology::drive_of(sysfs, topology::nvme_drives(sysfs), device))
    return as_sibling(*drive, below.array);
  Labels labels = {{"drive", device}};
  if (!below.array.empty()) labels.emplace("array", below.array);
  return labels;
}

// What was never written is read without the flash: in no array, only drives that hold as much are siblings.
std::string held(const DiskTarget& drive, const disk::Worked& worked) {
  constexpr double hardly_any = 0.01;
  const auto share = 1 - static_cast<double>(worked.blank) / static_cast<double>(worked.operations);
  if (share < hardly_any) return "nothing";
  if (share > 1 - hardly_any) return "data";
  return fmt::format("data in {} of {}", results::percent(share), drive.path.string());
}

// The array that a drive is in; empty where it is in none.
std::string array_of(const topology::Sysfs& sysfs, const std::vector<topology::RaidArray>& arrays,
                     const topology::NvmeDrive& drive) {
  for (const auto& array : arrays)
    for (const auto& member : array.members)
      if (topology::drive_of(sysfs, {drive}, member.device)) return array.name;
  return {};
}

// Whole drives, by their first namespaces, each by one path.
std::vector<DiskTarget> whole_drives(const topology::Sysfs& sysfs) {
  const auto arrays = topology::raid_arrays(sysfs);
  std::vector<DiskTarget> places;
  for (const auto& drive : topology::one_of_each_subsystem(sysfs, topology::nvme_drives(sysfs))) {
    const auto devices = topology::namespaces(sysfs, drive);
    const auto device = devices.empty() ? drive.name : devices.front();
    places.push_back({.path = "/dev/" + device,
                      .mount = {},
                      .filesystem = {},
                      .device = sysfs.text(fmt::format("sys/class/block/{}/dev", device)).value_or(""),
                      .labels = as_sibling(drive, array_of(sysfs, arrays, drive))});
  }
  return places;
}

DrivesBelow drives_below(const topology::Sysfs& sysfs, const DiskTarget& place) {
  try {
    return topology::drives_below(sysfs, place.device);
  } catch (const topology::Error& error) {
    throw benchmarks::Error(error.what());
  }
}

// Below all of them; nothing where that is not known of one.
std::optional<std::set<std::string>> all_drives(const topology::Sysfs& sysfs, const std::vector<DiskTarget>& places) {
  std::set<std::string> drives;
  for (const auto& place : places) {
    try {
      const auto below = drives_below(sysfs, place);
      for (const auto& device : below.devices) drives.merge(topology::whole_devices(sysfs, device));
    } catch (const benchmarks::Error&) {
      return std::nullopt;
    }
  }
  return drives;
}

std::vector<Drive> drives_of(const topology::Sysfs& sysfs, const DrivesBelow& below, const disk::OwnFile& file) {
  std::vector<std::vector<std::uint64_t>> parts(below.devices.size());
  if (!below.array.empty())
    parts = chunks_by_member(extents(file), static_cast<std::uint64_t>(below.chunk_bytes), below.devices.size());
  std::vector<Drive> drives;
  for (std::size_t slot = 0; slot < below.devices.size(); ++slot) {
    const auto& device = below.devices[slot];
    std::erase_if(parts[slot], [](auto begin) { return begin % disk::Area::block_bytes != 0; });
    if (!below.array.empty() && parts[slot].empty())
      throw benchmarks::Error(fmt::format("too little has been written to reach {}", device));
    drives.push_back({.labels = labels_of_device(sysfs, below, device),
                      .number = sysfs.text(fmt::format("sys/class/block/{}/dev", device)).value_or(""),
                      .parts = std::move(parts[slot])});
  }
  return drives;
}

class DiskPeers final : public DiskCheck {
 public:
  DiskPeers() : DiskCheck("disk_peers", 3) {}

  Description describe() const override {
    return {.name = "disk_peers",
            .summary = "Reads of all drives at once, of a file or of whole drives: which is slower than its siblings",
            .resources = {Resource::memory, Resource::disk},
            .tier = results::Tier::quick,
            .typical_seconds = 5,
            .part = Part::several_drives};
  }

  void expect_possible(const Context& context) const override {
    DiskCheck::expect_possible(context);
    if (context.settings().allow_raw_read && (!paths().empty() || settings().bytes || settings().reserve_bytes > 0))
      throw UsageError("--allow-raw-read makes no file; leave out --path, --size and --reserve");
  }

 private:
  std::vector<DiskTarget> places(Context& context) const override {
    if (!context.settings().allow_raw_read) return DiskCheck::places(context);
    auto drives = whole_drives(context.sysfs());
    if (drives.empty()) throw Skip("no NVMe drive");
    return drives;
  }

  // Where nobody can tell which drives there are, the place itself is to say so.
  void expect_worth(const Context& context, const std::vector<DiskTarget>& places) const override {
    if (const auto drives = all_drives(context.sysfs(), places); drives && drives->size() < 2)
      throw Skip("one drive has no siblings");
  }

  std::size_t buffer_bytes(const Context& context, const std::vector<DiskTarget>& places) const override {
    const auto drives = all_drives(context.sysfs(), places);
    const auto reading = (drives ? drives->size() : places.size()) * buffer_bytes_of(sequential_reads);
    return context.settings().allow_raw_read ? reading : std::max(reading, places.size() * buffer_bytes_of(writes));
  }

  void measure(Context& context, const DiskTarget& place, const disk::Engine& engine, const Say& say) const override {
    if (context.settings().allow_raw_read) return measure_raw(context, place, engine, say);
    say("writing");
    auto time = timetable(context);
    expect_disk(context.sysfs(), place);
    context.add(metric("stale_files"), results::count(disk::remove_stale_files(place.path)), place.labels);
    const auto below = drives_below(context.sysfs(), place);
    if (place.filesystem == "btrfs" && !below.array.empty())
      throw benchmarks::Error("btrfs does not tell where on an array a file lies");
    const disk::OwnFile file(place.path, file_bytes(place.path, settings()));
    disk::Area area(file);
    disk::work(area, engine, writes, all_the_time(), {.end = time.next(share_of_writing)});
    const auto drives = drives_of(context.sysfs(), below, file);
    const auto part_bytes = static_cast<std::size_t>(below.chunk_bytes);
    const auto most = below.array.empty() ? sequential_reads.block_bytes : part_bytes;
    for (auto workload : {sequential_reads, random_reads}) {
      say(fmt::format("{} read", to_text(workload.pattern)));
      workload.block_bytes = std::min(workload.block_bytes, most);
      workload.part_bytes = part_bytes;
      read_at_once(context, drives, workload, [&, end = time.next(share_of_reading)](const auto& own) {
        return disk::work(area, engine, own, all_the_time(), {.end = end});
      });
    }
    add_wrong(context, "disk_peers", area.wrong(), place.labels);
  }

  // Each drive by a thread of its own, with its own parts of the file.
  template <typename Work>
  void read_at_once(Context& context, const std::vector<Drive>& drives, const disk::Workload& workload,
                    const Work& work) const {
    std::vector<Reads> reads(drives.size());
    std::vector<std::optional<disk::DiskError>> failed(drives.size());
    benchmarks::host::Team(drives.size()).run([&](std::size_t number) {
      auto own = workload;
      own.parts = drives[number].parts;
      try {
        reads[number] = counted(context, drives[number].number, [&] { return work(own); });
      } catch (const disk::DiskError& error) {
        failed[number] = error;
      }
    });
    for (std::size_t number = 0; number < drives.size(); ++number)
      if (const auto wrong = reads[number].worked.wrong; wrong > 0)
        context.add(metric("wrong_blocks"), results::count(wrong), labels_of(workload, drives[number].labels));
    expect_no_error(context, drives, failed);
    for (std::size_t number = 0; number < drives.size(); ++number)
      add(context, labels_of(workload, drives[number].labels), workload.pattern, reads[number]);
  }

  // Where some drives could be read, names those that could not: where none could, it need not be a drive.
  void expect_no_error(Context& context, const std::vector<Drive>& drives,
                       const std::vector<std::optional<disk::DiskError>>& failed) const {
    const bool any_was_read = std::ranges::any_of(failed, [](const auto& error) { return !error; });
    for (std::size_t number = 0; number < drives.size(); ++number)
      if (failed[number] && any_was_read) context.add(metric("errors"), results::count(1), drives[number].labels);
    for (const auto& error : failed)
      if (error) throw disk::DiskError(*error);
  }

  // Of one drive; the others are read at the same time, as places are, so nothing waits for a report between reads.
  void measure_raw(Context& context, const DiskTarget& place, const disk::Engine& engine, const Say& say) const {
    const disk::RawDrive drive(place.path, place.device);
    say("reading");
    auto time = timetable(context);
    const auto read = [&](const Workload& workload) {
      const auto end = time.next(share_of_raw_reading);
      return counted(context, place.device,
                     [&] { return disk::read(drive, engine, workload, all_the_time(), {.end = end}); });
    };
    const std::array all = {std::pair(sequential_reads, read(sequential_reads)),
                            std::pair(random_reads, read(random_reads))};
    for (const auto& [workload, reads] : all) {
      auto labels = labels_of(workload, place.labels);
      if (!labels.contains("array")) labels.emplace("holds", held(place, reads.worked));
      add(context, labels, workload.pattern, reads);
    }
  }

  // A drive that is done earlier than the others would change what they get.
  static benchmarks::SamplingGoal all_the_time() { return {.count = std::numeric_limits<std::size_t>::max()}; }

  void add(Context& context, const Labels& labels, Access pattern, const Reads& reads) const {
    context.add(rate_fact(metric(pattern == Access::random ? "rate" : "bandwidth"), reads.worked.rates, labels));
    context.add(metric("through_device"), reads.through, labels);
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<DiskPeers>(); }

}  // namespace muster::healthcheck
