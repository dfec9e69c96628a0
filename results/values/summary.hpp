// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/values/report.hpp"

namespace muster::results {

// As in summary.schema.json.
inline constexpr std::size_t max_summary_bytes = 4096;
inline constexpr std::size_t max_summary_labels = 6;
inline constexpr std::size_t max_summary_checks = 20;  // by --only, and by --skip

// What summary.schema.json has of a problem, its texts as short as there.
struct SummaryProblem {
  Status status = Status::unknown;
  std::string check, host, metric;
  Labels labels;
  std::size_t count = 1;  // of verdicts
  std::string reason, fault, action;

  bool operator==(const SummaryProblem&) const = default;
};

struct ReportSummary {
  std::string version;  // of the muster that wrote the report
  std::string run_id;
  std::string started;  // RFC 3339 UTC, or empty
  std::string host;     // the first
  std::size_t host_count = 0;
  std::string profile;
  std::optional<Selection> selection;  // what was asked for; older summaries do not tell
  Status status = Status::unknown;
  std::string sentence;
  std::vector<SummaryProblem> problems;  // worst first
  std::size_t omitted = 0;               // verdicts that are not in problems

  bool operator==(const ReportSummary&) const = default;
};

// With at most so many problems.
ReportSummary summary_of(const Report& report, std::size_t max_problems);

}  // namespace muster::results
