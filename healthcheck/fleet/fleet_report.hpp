// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/fleet/fleet_peers.hpp"
#include "healthcheck/fleet/node_report.hpp"
#include "results/values/verdict.hpp"

namespace muster::healthcheck::fleet {

constexpr std::chrono::minutes clock_tolerance{5};  // of clocks that nobody has set

// Whether a node was tested as often as it should.
enum class Coverage { tested, twice, missing, skipped, unexpected };

std::string_view to_text(Coverage coverage);
std::optional<Coverage> coverage_from(std::string_view text);

// A report of a node.
struct Source {
  std::string path, run_id, started;
  results::Status status = results::Status::unknown;
  bool is_whole = false;
};

struct FleetNode {
  std::string name;
  results::Status status = results::Status::unknown;
  Coverage coverage = Coverage::tested;
  std::string before;   // its state in the report that this one is compared with; empty where it was not there
  std::string reason;   // one sentence, where the coverage or the clock is not as it should be
  std::string profile;  // of its last report
  std::optional<results::Selection> selection;  // of that, where it tells
  std::vector<Source> reports;                  // that count, in the order of their start
  std::vector<results::SummaryProblem> problems;
  std::size_t omitted = 0;                             // verdicts that are not in problems
  std::optional<std::vector<std::string>> finished{};  // checks of its last report, where that is whole
  std::vector<Rate> rates;              // of its last whole report, until they are held against those of the others
  std::vector<CheckStatus> statuses{};  // of its whole reports, until their names are known
  std::string checks{};                 // a letter for each check of the fleet: see letter_of(); empty of a summary
};

// How a check of a node ended, in the text of all: p, w, u, f, s (a skip), or - where it was not run.
char letter_of(results::Status status);
std::optional<results::Status> status_of(char letter);
inline constexpr char not_run = '-';

// What people call it: its status, or "missing" or "skipped".
std::string_view state(const FleetNode& node);

// Of a node and of a state, in rising order: that a node was skipped is worse than a warning, for nobody knows; missing
// is as failed.
int badness(const FleetNode& node);
int badness(std::string_view state);

// A report that another is compared with.
struct Previous {
  std::string run_id, made;
};

// What a night knows of a fleet.
struct FleetReport {
  std::string version;
  std::string run_id;
  std::string made;   // RFC 3339 UTC
  std::string since;  // reports of before are those of other runs
  results::Status status = results::Status::unknown;
  std::string summary;           // one sentence
  std::vector<FleetNode> nodes;  // worst first, then by name
  std::vector<Unreadable> unreadable;
  Peers peers;
  std::vector<std::string> checks{};    // that any node has, by name
  std::vector<MetricSpread> metrics{};  // how values lie over the nodes
  std::optional<Previous> previous;
  std::vector<std::string> gone;  // nodes of that one which are none of this
};

// Of its nodes, of files that are no reports, and of kinds of which nobody can be accused; a skipped node is a warning.
results::Status worst_of(const FleetReport& report);

// How each node is to be tested; what is not given is as most are.
struct WantedCoverage {
  std::optional<std::string> profile;
  results::Tier tier = results::Tier::preflight;  // at least
  std::vector<std::string> checks;                // at least
};

// Of the nodes that were to be tested between `since` and `made`, which are in the report already. A node without a
// report fails, unless it was skipped. One that was tested twice has the worst of both and is a warning, as is one that
// nobody expected and one that was skipped; what cannot be read, and a clock that is off, make it unknown. Two reports
// of one run, such as a report and its summary, are one. What its last whole report has measured of a node is held
// against the other nodes, which makes it a warning at most; so does that it was tested by less than most. A node that
// was not tested as is wanted is missing.
FleetReport judged(FleetReport report, const std::vector<std::string>& expected, Found found,
                   const PeerRules& rules = {}, const WantedCoverage& wanted = {});

// Says what has changed since another report. A node that is gone is a warning.
FleetReport compared(FleetReport report, const FleetReport& previous);

// Version 1 of fleet.schema.json.
std::string to_json(const FleetReport& report);

// Accepts only what that schema accepts. Throws results::Error that names the field, or the line of a syntax error.
FleetReport fleet_report_from_json(std::string_view text);

// For people: one sentence, then what is wrong, worst first.
std::string to_text(const FleetReport& report);

}  // namespace muster::healthcheck::fleet
