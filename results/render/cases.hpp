// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "results/values/report.hpp"

// What readers of test results are told, in whatever format.
namespace muster::results {

// One expectation, and what became of it.
struct Case {
  std::string name;     // "ib_link.state (nic mlx5_0, port 1)"
  std::string of = {};  // what was tested: a check
  Status status = Status::unknown;
  double seconds = 0;       // those of a suite add up to its own
  std::string reason = {};  // these as in a verdict
  std::string fault = {};
  std::string expected = {};
  std::string source = {};
  std::string action = {};
};

// What belongs together: a run of a check, or a node.
struct Suite {
  std::string name;
  std::string place = {};    // where it ran
  std::string started = {};  // RFC 3339 UTC, or empty
  double seconds = 0;
  std::vector<Case> cases = {};  // at least one
};

struct Cases {
  std::string version;  // of muster
  std::string run_id;
  std::string started;  // RFC 3339 UTC, or empty
  double seconds = 0;
  std::vector<Suite> suites;
};

// A suite for each run of a check, a case for each verdict; the time of a run stands with its first case. How a run
// ended is a case of its own where no verdict tells it, and so is that nothing was judged, which is unknown.
Cases cases_of(const Report& report);

// "ib_link.state (nic mlx5_0, port 1)".
std::string case_name(const std::string& metric, const Labels& labels);

// Fault, reason, what was expected, where that is from and what to do, a line each.
std::string details(const Case& each);

}  // namespace muster::results
