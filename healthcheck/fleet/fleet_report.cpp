// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/fleet_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "healthcheck/fleet/all_processors.hpp"
#include "healthcheck/fleet/check_letters.hpp"
#include "healthcheck/fleet/coverage.hpp"
#include "healthcheck/fleet/node_names.hpp"
#include "healthcheck/start/host_names.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;
using std::chrono::sys_seconds;

constexpr std::chrono::hours max_run{6};
constexpr std::size_t max_slow = 8;  // problems of a node that peers find

struct Window {
  sys_seconds since, until;
};

sys_seconds started(const NodeReport& report) {
  return results::time_from(report.summary.started).value_or(sys_seconds{});
}

// A report and its summary are of one run, and say the same: the whole one is kept.
void drop_doubles(std::vector<NodeReport>& reports) {
  const auto said = [](const NodeReport& each) {
    const auto& summary = each.summary;
    return std::tie(summary.started, summary.run_id, summary.status, summary.profile);
  };
  std::ranges::stable_sort(
      reports, {}, [&](const NodeReport& each) { return std::tuple_cat(said(each), std::tuple(!each.is_whole)); });
  const auto same = [&](const NodeReport& one, const NodeReport& other) { return said(one) == said(other); };
  reports.erase(std::unique(reports.begin(), reports.end(), same), reports.end());
}

// One of this run that says that it was not in it.
bool has_wrong_clock(const NodeReport& report, const Window& window) {
  const auto start = started(report);
  if (start > window.until + clock_tolerance) return true;
  if (report.is_current) return start < window.since - clock_tolerance;
  return start < window.since && report.written >= window.since && report.written - start > max_run;
}

void worsen(FleetNode& node, Status status) { node.status = std::max(node.status, status); }

void add(FleetNode& node, NodeReport report) {
  auto& summary = report.summary;
  worsen(node, summary.status);
  node.profile = summary.profile;
  node.selection = summary.selection;
  node.omitted += summary.omitted;
  std::ranges::move(summary.problems, std::back_inserter(node.problems));
  node.finished.reset();
  for (const auto& each : report.checks) worsen(node.statuses, each);
  if (report.is_whole) {
    node.rates = std::move(report.rates);
    node.finished = std::move(report.finished);
  }
  node.reports.push_back({.path = std::move(report.path),
                          .run_id = summary.run_id,
                          .started = summary.started,
                          .status = summary.status,
                          .is_whole = report.is_whole});
}

// What lies in the place of a report, by every name of a node that it may have, in lower case: "night/gpu-0010.json"
// and "gpu-0010/report.json" in that of gpu-0010. Of several the first.
using Places = std::map<std::string, const Unreadable*, std::less<>>;

Places places_of(const std::vector<Unreadable>& unreadable) {
  Places places;
  for (const Unreadable& each : unreadable) {
    const std::filesystem::path path(each.path);
    places.emplace(same_name(path.stem().string()), &each);
    for (const auto& folder : path) places.emplace(same_name(folder.string()), &each);
  }
  return places;
}

// Why no report of these, which there may be, counts.
std::string absence(const std::vector<NodeReport>& others, const std::string& since, const Unreadable* instead) {
  if (others.empty() && instead != nullptr)
    return fmt::format("it left no report that can be read: {}: {}", instead->path, instead->reason);
  if (others.empty()) return "it left no report";
  return fmt::format("its last report, {}, is of {}, before {}", others.back().path, others.back().summary.started,
                     since);
}

void add_absence(FleetNode& node, const Absence* known, const std::string& otherwise) {
  const bool is_skipped = known != nullptr && known->is_skipped;
  node.coverage = is_skipped ? Coverage::skipped : Coverage::missing;
  node.status = is_skipped ? Status::skip : Status::fail;
  node.reason = known == nullptr ? otherwise : known->reason;
}

FleetNode judged_node(const std::string& name, bool is_expected, std::vector<NodeReport> reports,
                      const FleetReport& whole, const Absence* absent, const Unreadable* instead) {
  const Window window{results::time_from(whole.since).value_or(sys_seconds{}),
                      results::time_from(whole.made).value_or(sys_seconds::max() - clock_tolerance)};
  FleetNode node{.name = name, .status = Status::skip};
  drop_doubles(reports);
  std::vector<NodeReport> others;
  for (auto& report : reports) {
    const bool clock_is_wrong = has_wrong_clock(report, window);
    if (started(report) < window.since && !clock_is_wrong && !report.is_current) {
      others.push_back(std::move(report));
      continue;
    }
    if (clock_is_wrong) {
      node.reason =
          fmt::format("its clock is off, or it was copied later: {} says that it started at {}, and was written at {}",
                      report.path, report.summary.started, results::utc(report.written));
      worsen(node, Status::unknown);
    }
    add(node, std::move(report));
  }
  std::ranges::stable_sort(node.problems, std::greater{}, &results::SummaryProblem::status);
  if (node.reports.empty()) {
    add_absence(node, absent, absence(others, whole.since, instead));
  } else if (!is_expected) {
    node.coverage = Coverage::unexpected;
    if (node.reason.empty())
      node.reason = node.reports.size() > 1
                        ? fmt::format("it was not expected, and {} reports are of it", node.reports.size())
                        : "it was not expected";
    worsen(node, Status::warn);
  } else if (node.reports.size() > 1) {
    node.coverage = Coverage::twice;
    if (node.reason.empty()) node.reason = fmt::format("it was tested {} times", node.reports.size());
    worsen(node, Status::warn);
  }
  return node;
}

// Of each node that was expected, and of each with a report that counts, by name.
std::vector<FleetNode> judged_nodes(std::map<std::string, std::vector<NodeReport>> by_node,
                                    const std::set<std::string>& expected, const FleetReport& whole,
                                    const Found& found) {
  const auto places = places_of(found.unreadable);
  std::vector<std::pair<const std::string, std::vector<NodeReport>>*> groups;
  for (auto& group : by_node) groups.push_back(&group);
  std::vector<FleetNode> nodes(groups.size());
  for_each_index(groups.size(), [&](std::size_t each) {
    auto& [name, reports] = *groups[each];
    const auto absent = found.absences.find(name);
    const auto instead = places.find(same_name(name));
    nodes[each] = judged_node(name, expected.contains(name), std::move(reports), whole,
                              absent == found.absences.end() ? nullptr : &absent->second,
                              instead == places.end() ? nullptr : instead->second);
  });
  std::erase_if(nodes, [&](const FleetNode& node) { return node.reports.empty() && !expected.contains(node.name); });
  return nodes;
}

// Warns of what is slower than the same of other nodes, and tells how all lie.
void compare_with_peers(FleetReport& report, const RateTexts& texts, const PeerRules& rules) {
  auto& nodes = report.nodes;
  std::vector<std::vector<Rate>> rates;
  for (auto& node : nodes) rates.push_back(std::exchange(node.rates, {}));
  auto held = compare_with_peers(std::move(rates), texts, rules);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (held.warnings[i].empty()) continue;
    auto& node = nodes[i];
    auto summary = results::summary_of({.checks = std::move(held.warnings[i])}, max_slow);
    for (auto& problem : summary.problems) problem.host = node.name;
    std::ranges::move(summary.problems, std::back_inserter(node.problems));
    node.omitted += summary.omitted;
    worsen(node, Status::warn);
  }
  report.peers = std::move(held.peers);
  for (auto& spread : held.spreads)
    for (auto& each : spread.outliers) each.node = nodes[std::stoul(each.node)].name;
  report.metrics = std::move(held.spreads);
}

std::string counted(const FleetReport& report, std::size_t expected) {
  const auto with = [&](auto field, auto value) { return std::ranges::count(report.nodes, value, field); };
  const auto missing = with(&FleetNode::coverage, Coverage::missing);
  std::vector<std::string> parts;
  const auto add = [&](auto number, std::string_view what) {
    if (number > 0) parts.push_back(fmt::format("{} {}", number, what));
  };
  add(with(&FleetNode::status, Status::fail) - missing, "failed");
  add(missing, "missing");
  add(with(&FleetNode::status, Status::unknown), "unknown");
  add(with(&FleetNode::status, Status::warn), "warned");
  add(with(&FleetNode::status, Status::skip), "skipped");
  add(with(&FleetNode::status, Status::pass), "passed");
  add(with(&FleetNode::coverage, Coverage::twice), "tested twice");
  add(with(&FleetNode::coverage, Coverage::unexpected), "not expected");
  add(report.unreadable.size(),
      report.unreadable.size() == 1 ? "file that is not a report" : "files that are not reports");
  add(report.peers.divided.size(), "kinds of rates or times of which many are slow");
  return fmt::format("of {} {}: {}", expected, expected == 1 ? "node" : "nodes",
                     parts.empty() ? "nothing was to be tested" : fmt::format("{}", fmt::join(parts, ", ")));
}

// Each machine once, in its first spelling.
std::set<std::string> distinct(const std::vector<std::string>& names) {
  Spellings spellings;
  std::set<std::string> found;
  for (const auto& name : names) found.insert(spellings.first_of(name));
  return found;
}

struct Grouped {
  std::map<std::string, std::vector<NodeReport>> by_node;  // each expected one, and what else left reports
  std::map<std::string, std::string> others;  // names in reports of expected ones that are called otherwise
};

Grouped by_expected_name(const std::set<std::string>& names, std::vector<NodeReport>& reports) {
  Grouped grouped;
  Spellings spellings;
  for (const auto& name : names) grouped.by_node[spellings.first_of(name)];
  std::set<std::string> reported;
  for (auto& each : reports) {
    const auto& host = each.summary.host;
    const auto& name = spellings.first_of(host);
    if (name != host && names.contains(name)) grouped.others.emplace(name, host);
    reported.insert(name);
    grouped.by_node[name].push_back(std::move(each));
  }
  for (const auto& [name, other] : other_names(names, reported)) {
    grouped.by_node[name] = std::move(grouped.by_node.extract(other).mapped());
    grouped.others.emplace(name, other);
  }
  return grouped;
}

}  // namespace

Status worst_of(const FleetReport& report) {
  Status worst = report.unreadable.empty() ? Status::pass : Status::unknown;
  if (!report.peers.divided.empty()) worst = std::max(worst, Status::warn);
  for (const auto& node : report.nodes)
    worst = std::max(worst, node.status == Status::skip ? Status::warn : node.status);
  return worst;
}

FleetReport judged(FleetReport report, const std::vector<std::string>& expected, Found found, const PeerRules& rules,
                   const WantedCoverage& wanted) {
  const auto names = distinct(expected);
  auto [by_node, others] = by_expected_name(names, found.reports);
  report.nodes = judged_nodes(std::move(by_node), names, report, found);
  compare_with_coverage(report.nodes, wanted);
  compare_with_peers(report, found.texts, rules);
  name_checks(report, found.texts.checks);
  std::ranges::stable_sort(report.nodes, std::greater{}, [](const FleetNode& node) { return badness(node); });
  report.unreadable = std::move(found.unreadable);
  report.status = names.empty() ? std::max(Status::unknown, worst_of(report)) : worst_of(report);
  report.summary = counted(report, names.size());
  if (!others.empty())
    report.summary +=
        fmt::format("; {} named otherwise in {}, such as {} for {}", others.size(),
                    others.size() == 1 ? "its report" : "their reports", others.begin()->second, others.begin()->first);
  return report;
}

FleetReport compared(FleetReport report, const FleetReport& previous) {
  std::map<std::string, const FleetNode*> before;
  for (const auto& node : previous.nodes) before[same_name(node.name)] = &node;
  std::size_t worse = 0, better = 0;
  for (auto& node : report.nodes) {
    const auto found = before.find(same_name(node.name));
    if (found == before.end()) continue;
    node.before = state(*found->second);
    worse += badness(node) > badness(node.before) ? 1 : 0;
    better += badness(node) < badness(node.before) ? 1 : 0;
    before.erase(found);
  }
  for (const auto& [name, node] : before) report.gone.push_back(node->name);
  report.previous = Previous{previous.run_id, previous.made};
  if (!report.gone.empty()) report.status = std::max(report.status, Status::warn);
  report.summary +=
      fmt::format("; since {}: {} worse, {} better, {} gone", previous.made, worse, better, report.gone.size());
  return report;
}

}  // namespace muster::healthcheck::fleet
