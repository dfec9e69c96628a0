// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/values/report.hpp"
#include "topology/counters/counters.hpp"

namespace muster::healthcheck {

using CounterSource = std::vector<topology::Counter> (*)(const topology::Sysfs&);

// Counters at one time of one boot.
struct CounterSnapshot {
  std::string boot_id;
  double uptime_seconds = 0;
  std::vector<topology::Counter> counters;

  bool operator==(const CounterSnapshot&) const = default;
};

// Of now. Throws std::runtime_error where the kernel says neither its boot nor its uptime.
CounterSnapshot reading_of(const topology::Sysfs& sysfs, std::vector<topology::Counter> counters);

// What a later reading can be compared with.
struct Earlier {
  CounterSnapshot reading;  // empty where there is no such file, or it is of another boot
  std::string problem;      // why the file is of no use: a power cut leaves an empty one
};

Earlier earlier_reading(const std::filesystem::path& file, const CounterSnapshot& now);
void write_reading(const CounterSnapshot& reading, const std::filesystem::path& file);

struct Growth {
  std::vector<results::Delta> deltas;
  double seconds = 0;
  bool is_since_last_run = false;
};

struct Growths {
  std::vector<Growth> all;
  std::string problem;  // of the earlier reading
};

constexpr double usual_window_seconds = 1;

// How counters grow: all of them during a window where one is given; else since the reading in `file` where that is of
// this boot, and those that it does not have during the usual window. The last reading replaces the file. Throws what
// reading_of() throws where a file is given.
Growths counter_growth(const topology::Sysfs& sysfs, CounterSource source,
                       const std::optional<std::filesystem::path>& file, std::optional<double> window_seconds = {});

}  // namespace muster::healthcheck
