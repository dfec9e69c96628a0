// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/fleet/rates.hpp"
#include "results/values/summary.hpp"

namespace muster::healthcheck::fleet {

// What a node left of its run of muster.
struct NodeReport {
  std::string path;  // where it was found
  std::chrono::sys_seconds written{};
  bool is_whole = false;  // else it is a summary
  results::ReportSummary summary;
  bool is_current = false;              // of this run for sure, whatever its clock says
  std::vector<Rate> rates;              // none of a summary
  std::vector<std::string> finished{};  // checks; none of a summary
  std::vector<CheckStatus> checks{};    // none of a summary
};

// Something in the place of a report that is none.
struct Unreadable {
  std::string path;
  std::string reason;
};

// Reads report after report.
class NodeReportReader {
 public:
  NodeReportReader();
  ~NodeReportReader();
  NodeReportReader(const NodeReportReader&) = delete;
  NodeReportReader& operator=(const NodeReportReader&) = delete;

  // Whether the JSON is a whole report, and what it says; nothing when it is a fleet's, or counters of --state. What
  // report_from_json() and summary_from_json() refuse is refused, and what is not about one node. Throws
  // results::Error.
  struct Read {
    bool is_whole = false;
    results::ReportSummary summary;
    std::vector<Rate> rates;
    std::vector<std::string> finished;  // checks
    std::vector<CheckStatus> checks;
  };
  std::optional<Read> read(const std::string& json);

  // Of the rates that it has read.
  const RateTexts& texts() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

// Why a node was not tested.
struct Absence {
  std::string reason;
  bool is_skipped = false;  // it was in use, and is not missing
};

struct Found {
  std::vector<NodeReport> reports;
  std::vector<Unreadable> unreadable;
  RateTexts texts;                          // of the rates of all reports
  std::map<std::string, Absence> absences;  // by node; where nothing is known, there is no entry
};

// All files *.json in the folder and below, in the order of their paths; on all cores. Throws results::Error when the
// folder cannot be read.
Found reports_in(const std::filesystem::path& folder);

}  // namespace muster::healthcheck::fleet
