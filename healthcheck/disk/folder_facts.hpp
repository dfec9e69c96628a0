// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/disk/workload.hpp"
#include "healthcheck/context.hpp"
#include "results/histogram.hpp"
#include "topology/block_traffic.hpp"

namespace muster::healthcheck {

// How disk_io measures; what is not given is its own choice.
struct DiskSettings {
  static constexpr std::size_t least_bytes = std::size_t{64}
                                             << 20;  // of blocks of 1 MiB more than are under way at once

  std::optional<std::size_t> bytes;  // of its file
  std::size_t reserve_bytes = 0;     // to be left free
  std::optional<double> seconds;     // of all that is measured
  std::optional<double> reads_per_second;
};

// What disk_io finds out about the disk that a folder lies on.
class FolderFacts {
 public:
  using Say = std::function<void(std::string_view what)>;

  // `path` without links. `say` is told what it does now.
  FolderFacts(Context& context, std::filesystem::path path, const DiskSettings& settings, Say say);

  // Why it could not be measured; empty where it was.
  std::string measure();
  // Whether the disk is the reason.
  bool failed() const { return failed_; }

 private:
  std::chrono::nanoseconds time(double share) const;
  void look();
  std::size_t size() const;
  void begin(const benchmarks::OwnFile& file);
  void run(benchmarks::Area& area, const benchmarks::Workload& workload, std::chrono::nanoseconds time);
  void save_checkpoint(benchmarks::Area& area);
  void keep_pace(benchmarks::Area& area);
  void verify(benchmarks::Area& area);
  void add_rates(const std::string& metric, const benchmarks::Sampled& rates, const results::Labels& labels);
  void add_latency(const results::Histogram& latency, const results::Labels& labels);
  std::optional<topology::BlockTraffic> traffic() const;
  void add_through_device(const std::optional<topology::BlockTraffic>& before, benchmarks::Direction direction,
                          double bytes, const results::Labels& labels);

  Context& context_;
  std::filesystem::path path_;
  const DiskSettings& settings_;
  Say say_;
  results::Labels labels_;
  std::string device_;  // its number
  benchmarks::Engine engine_;
  bool failed_ = false;
};

}  // namespace muster::healthcheck
