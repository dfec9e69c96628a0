// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/disk/extents.hpp"
#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/disk/workload.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/host/team.hpp"
#include "healthcheck/context.hpp"
#include "healthcheck/disk/disk_check.hpp"
#include "healthcheck/disk/disk_facts.hpp"
#include "healthcheck/disk/place.hpp"
#include "healthcheck/rate_fact.hpp"
#include "topology/drives_below.hpp"
#include "topology/error.hpp"
#include "topology/nvme.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Direction;
using benchmarks::Pattern;
using benchmarks::Workload;
using results::Labels;
using topology::DrivesBelow;

constexpr std::size_t small_bytes = 4096;
constexpr std::size_t large_bytes = std::size_t{128} << 10;  // or a chunk, where that is smaller
constexpr std::size_t most_buffer_bytes = std::size_t{4} << 20;
constexpr double share_of_writing = 0.3;
constexpr double share_of_reading = 0.35;  // of each pattern

// A drive, and the part of the data that lies on it.
struct Drive {
  Labels labels;
  std::string number;                // "259:3"
  std::vector<std::uint64_t> parts;  // none: all of the data
};

Labels labels_of_device(const topology::Sysfs& sysfs, const DrivesBelow& below, const std::string& device) {
  const auto drive = topology::drive_of(sysfs, topology::nvme_drives(sysfs), device);
  auto labels = drive ? labels_of(*drive) : Labels{{"drive", device}};
  if (!below.array.empty()) labels.emplace("array", below.array);
  return labels;
}

DrivesBelow drives_below(const topology::Sysfs& sysfs, const Folder& folder) {
  try {
    return topology::drives_below(sysfs, folder.device);
  } catch (const topology::Error& error) {
    throw benchmarks::Error(error.what());
  }
}

std::vector<Drive> drives_of(const topology::Sysfs& sysfs, const DrivesBelow& below, const benchmarks::OwnFile& file) {
  std::vector<std::vector<std::uint64_t>> parts(below.devices.size());
  if (!below.array.empty())
    parts = chunks_by_member(extents(file), static_cast<std::uint64_t>(below.chunk_bytes), below.devices.size());
  std::vector<Drive> drives;
  for (std::size_t slot = 0; slot < below.devices.size(); ++slot) {
    const auto& device = below.devices[slot];
    std::erase_if(parts[slot], [](auto begin) { return begin % benchmarks::Area::block_bytes != 0; });
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
    return {
        .name = "disk_peers",
        .summary =
            "Reads of each drive of an array, all at once, by a file of its own: which one is slower than its siblings",
        .resources = {Resource::memory, Resource::disk},
        .tier = results::Tier::quick,
        .typical_seconds = 5};
  }

 private:
  // Where nobody can tell which drives there are, the folder itself is to say so.
  void expect_worth(const Context& context, const std::vector<Folder>& folders) const override {
    std::set<std::string> drives;
    try {
      for (const auto& folder : folders) {
        const auto below = drives_below(context.sysfs(), folder);
        drives.insert(below.devices.begin(), below.devices.end());
      }
    } catch (const benchmarks::Error&) {
      return;
    }
    if (drives.size() < 2) throw Skip("one drive has no siblings");
  }

  void measure(Context& context, const Folder& folder, const Say& say) const override {
    say("writing");
    auto time = timetable(context);
    expect_disk(folder);
    context.add(metric("stale_files"), results::count(benchmarks::remove_stale_files(folder.path)), folder.labels);
    const auto below = drives_below(context.sysfs(), folder);
    const benchmarks::OwnFile file(folder.path, file_bytes(folder.path, settings()));
    benchmarks::Area area(file);
    const auto engine = benchmarks::usable_engine(most_buffer_bytes);
    context.add(metric("engine"), engine.words, folder.labels);
    benchmarks::work(area, engine, {.direction = Direction::write}, all_the_time(),
                     {.end = time.next(share_of_writing)});
    const auto drives = drives_of(context.sysfs(), below, file);
    const auto part_bytes = static_cast<std::size_t>(below.chunk_bytes);
    const auto most = below.array.empty() ? large_bytes : part_bytes;
    read(context, area, engine, drives, say, time.next(share_of_reading),
         {.pattern = Pattern::sequential, .block_bytes = std::min(large_bytes, most), .part_bytes = part_bytes});
    read(context, area, engine, drives, say, time.next(share_of_reading),
         {.pattern = Pattern::random,
          .block_bytes = std::min(small_bytes, most),
          .depth = 64,
          .part_bytes = part_bytes});
    add_wrong(context, "disk_peers", area.wrong(), folder.labels);
  }

  // A drive that is done earlier than the others would change what they get.
  static benchmarks::Goal all_the_time() { return {.count = std::numeric_limits<std::size_t>::max()}; }

  // All drives at once.
  void read(Context& context, benchmarks::Area& area, const benchmarks::Engine& engine,
            const std::vector<Drive>& drives, const Say& say, std::chrono::steady_clock::time_point end,
            const Workload& workload) const {
    say(fmt::format("{} read", to_text(workload.pattern)));
    std::vector<benchmarks::Worked> worked(drives.size());
    std::vector<results::Value> through(drives.size());
    benchmarks::Team(drives.size()).run([&](std::size_t number) {
      const auto& drive = drives[number];
      auto own = workload;
      own.parts = drive.parts;
      const DeviceBytes counted(context.sysfs(), drive.number);
      worked[number] = benchmarks::work(area, engine, own, all_the_time(), {.end = end});
      through[number] = counted.share_of(Direction::read, worked[number].bytes);
    });
    for (std::size_t number = 0; number < drives.size(); ++number)
      add(context, drives[number], workload, worked[number], through[number]);
  }

  void add(Context& context, const Drive& drive, const Workload& workload, const benchmarks::Worked& worked,
           const results::Value& through) const {
    const auto labels = labels_of(workload, drive.labels);
    context.add(rate_fact(metric(workload.pattern == Pattern::random ? "rate" : "bandwidth"), worked.rates, labels));
    context.add(metric("through_device"), through, labels);
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<DiskPeers>(); }

}  // namespace muster::healthcheck
