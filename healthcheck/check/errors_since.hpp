// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "topology/counters/counters.hpp"

namespace muster::healthcheck {

struct Errors {
  topology::Counter counter;       // its value: how many
  bool is_since_last_run = false;  // else since boot
};

struct ErrorsSince {
  std::vector<Errors> errors;
  std::string problem;  // why the last run's reading is of no use; empty where it is, or there is none
};

// Errors that the kernel counted: those since the reading in `file`, where that is of this boot and has the counter,
// and of others those since boot. What is counted now replaces the file.
ErrorsSince errors_since(const topology::Sysfs& sysfs, std::vector<topology::Counter> counted,
                         const std::optional<std::filesystem::path>& file);

}  // namespace muster::healthcheck
