// SPDX-License-Identifier: Apache-2.0
// disk_workloads FOLDER: fills a file there, which has no name, and says by what path others reach it; then does to it
// each workload of disk_io that it is told by a line, and says what came of it: quantity and value, up to an empty
// line.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/disk/workload.hpp"
#include "benchmarks/error.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t file_bytes = 2048 * mebibyte;
constexpr std::size_t max_buffer_bytes = 32 * mebibyte;

struct Step {
  std::string_view key;
  disk::Workload workload;
  std::chrono::milliseconds time;
};

constexpr disk::Workload sequential(disk::Direction direction) { return {.direction = direction}; }

constexpr disk::Workload random(disk::Direction direction, std::size_t depth) {
  return {.direction = direction, .pattern = disk::Access::random, .block_bytes = 4096, .depth = depth};
}

// As against_fio has them.
constexpr std::array steps = {
    Step{"sequential_read", sequential(disk::Direction::read), std::chrono::milliseconds(800)},
    Step{"random_read 1", random(disk::Direction::read, 1), std::chrono::milliseconds(700)},
    Step{"random_read 64", random(disk::Direction::read, 64), std::chrono::milliseconds(800)},
    Step{"sequential_write", sequential(disk::Direction::write), std::chrono::milliseconds(1100)},
    Step{"random_write 1", random(disk::Direction::write, 1), std::chrono::milliseconds(700)},
    Step{"random_write 64", random(disk::Direction::write, 64), std::chrono::milliseconds(800)},
};

void say(const disk::Worked& worked) {
  const auto operations = static_cast<double>(worked.operations);
  fmt::print("rate\t{}\n", operations / worked.seconds);
  fmt::print("cpu\t{}\n", worked.cpu_seconds / operations);
  for (const auto& [name, share] : {std::pair("p50", 0.5), {"p99", 0.99}, {"p99.9", 0.999}})
    fmt::print("{}\t{}\n", name, worked.latency.quantile_seconds(share));
  fmt::print("\n");
}

void serve(const std::string& folder) {
  const disk::OwnFile file(folder, file_bytes);
  const auto engine = disk::usable_engine(max_buffer_bytes);
  disk::Area area(file);
  disk::work(area, engine, sequential(disk::Direction::write), {}, {.end = Clock::time_point::max()});
  fmt::print("{}\n", topology::Sysfs().path(fmt::format("proc/{}/fd/{}", getpid(), file.number())).string());
  std::fflush(stdout);
  for (std::string key; std::getline(std::cin, key);) {
    const auto step = std::ranges::find(steps, key, &Step::key);
    if (step == steps.end()) throw Error(key + " is not a workload");
    say(disk::work(area, engine, step->workload, {.count = std::numeric_limits<std::size_t>::max()},
                   {.end = Clock::now() + step->time}));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace muster::benchmarks

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: disk_workloads FOLDER\n");
    return 2;
  }
  try {
    muster::benchmarks::serve(words[1]);
  } catch (const muster::benchmarks::Error& error) {
    fmt::print(stderr, "disk_workloads: {}\n", error.what());
    return 2;
  }
}
