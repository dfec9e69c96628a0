// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/report.hpp"
#include "topology/counters.hpp"

namespace muster::healthcheck {

using CounterSource = std::vector<topology::Counter> (*)(const topology::Sysfs&);

// Counters at one time of one boot.
struct Reading {
  std::string boot_id;
  double uptime_seconds = 0;
  std::vector<topology::Counter> counters;

  bool operator==(const Reading&) const = default;
};

// Nothing when there is no such file. Throws UsageError naming the file, and the line, where it holds something else.
std::optional<Reading> read_reading(const std::filesystem::path& file);
void write_reading(const Reading& reading, const std::filesystem::path& file);

struct Growth {
  std::vector<results::Delta> deltas;
  double seconds = 0;
  bool is_since_last_run = false;
};

constexpr double usual_window_seconds = 1;

// How counters grow: all of them during a window where one is given; else since the reading in `file` where that is of
// this boot, and those that it does not have during the usual window. The last reading replaces the file. Throws what
// read_reading() throws, and Error where a file is given and the kernel says neither its boot nor its uptime.
std::vector<Growth> counter_growth(const topology::Sysfs& sysfs, CounterSource source,
                                   const std::optional<std::filesystem::path>& file,
                                   std::optional<double> window_seconds = {});

}  // namespace muster::healthcheck
