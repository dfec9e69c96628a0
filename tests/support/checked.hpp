// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/check/context.hpp"
#include "results/values/report.hpp"

namespace muster::tests {

// How a check is run where that matters.
struct Given {
  results::Tier tier = results::Tier::quick;
  std::optional<std::filesystem::path> state = std::nullopt;
  std::vector<std::string> options = {};  // of the check itself
  bool allow_raw_read = false;
  healthcheck::Deadline deadline = healthcheck::Deadline::max();
  healthcheck::Context::Record seen = {};  // what is on disk meanwhile; of a job that is what its first host says
};

// Runs the check that is linked into this test over a tree ("/" is this machine) and judges it with a shipped profile.
// Throws UsageError where the check refuses its options; a job must not.
results::CheckRun checked(const std::filesystem::path& root, std::string_view profile = "generic",
                          const Given& given = {});

// The same as a job of hosts, "host0" and so on, each with its tree.
results::CheckRun checked(const std::vector<std::filesystem::path>& roots, std::string_view profile = "generic",
                          const Given& given = {});

// What this test's judge makes of a report, by a shipped profile or a file; the report is kept for the validator.
results::CheckRun judged_again(results::Report report, std::string_view profile);

// One row of a table of faults: expects a verdict of this status and fault code whose labels hold `component`.
void expect_fault(const results::CheckRun& run, results::Status status, std::string_view fault,
                  const results::Labels& component);

// Expects no verdict worse than pass, and at least one pass.
void expect_healthy(const results::CheckRun& run);

}  // namespace muster::tests
