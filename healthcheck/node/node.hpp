// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "healthcheck/check/check.hpp"
#include "healthcheck/run/options.hpp"

namespace muster::healthcheck {

struct NodeOptions {
  Options common;
  results::Selection selection;
  std::optional<double> budget_seconds;   // for everything; checks that do not fit are unknown
  std::optional<double> timeout_seconds;  // for each check; by tier when not given
  bool even_if_in_use = false;
  bool confirm = false;                       // an active check that failed runs once more
  std::optional<std::filesystem::path> lock;  // in the system's lock folder when not given
};

// Runs every selected check of this machine as a child process and returns the exit code of the whole.
// The report is on disk before the first check starts and after each one ends.
int run_node(const NodeOptions& options, const std::filesystem::path& bin, const std::vector<Description>& checks);

}  // namespace muster::healthcheck
