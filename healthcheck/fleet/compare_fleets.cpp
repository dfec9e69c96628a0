// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/compare_fleets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "healthcheck/compare/matches.hpp"
#include "healthcheck/start/host_names.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;
using results::SummaryProblem;

compare::Side side_of(const FleetReport& report) {
  return {.run_id = report.run_id,
          .started = report.made,
          .version = report.version,
          .summary = report.summary,
          .hosts = {fmt::format("{} {}", report.nodes.size(), report.nodes.size() == 1 ? "node" : "nodes")},
          .status = report.status};
}

bool is_untested(const FleetNode& node) { return node.coverage == Coverage::skipped; }

compare::Kind kind_of(const FleetNode& a, const FleetNode& b) {
  if (is_untested(a) || is_untested(b)) {
    if (is_untested(a) == is_untested(b)) return compare::Kind::same;
    if (is_untested(b)) return compare::Kind::gone;
    return b.status == Status::fail ? compare::Kind::worse : compare::Kind::fresh;
  }
  if (state(a) == state(b)) return compare::Kind::same;
  if (a.status == b.status) return b.coverage == Coverage::missing ? compare::Kind::worse : compare::Kind::changed;
  if (b.status == Status::unknown && a.status == Status::fail) return compare::Kind::changed;
  return b.status > a.status ? compare::Kind::worse : compare::Kind::better;
}

std::string phrase_of(const SummaryProblem& problem) {
  const auto labels = results::to_text(problem.labels);
  return fmt::format("{}{}{}: {}", problem.metric, labels.empty() ? "" : " ", labels, problem.reason);
}

// What is wrong with a node, in short.
std::string trouble(const FleetNode& node) {
  if (!node.reason.empty()) return node.reason;
  if (node.problems.empty()) return "";
  const auto more = node.problems.size() - 1 + node.omitted;
  const auto first = phrase_of(node.problems.front());
  return more == 0 ? first : fmt::format("{}, and {} more", first, more);
}

compare::Change change_of_node(compare::Kind kind, const FleetNode* a, const FleetNode* b) {
  const FleetNode& told = b == nullptr ? *a : *b;
  compare::Change change{.kind = kind, .subject = compare::Subject::node, .host = told.name};
  if (a != nullptr) change.before = std::string(state(*a));
  if (b != nullptr) change.after = std::string(state(*b));
  if (kind == compare::Kind::better || b == nullptr)
    change.reason = trouble(*a).empty() ? "" : "it was: " + trouble(*a);
  else
    change.reason = trouble(*b);
  if (b != nullptr && kind != compare::Kind::better && !b->problems.empty()) change.fault = b->problems.front().fault;
  return change;
}

std::vector<compare::Place> places_of(const FleetNode& node) {
  std::vector<compare::Place> places;
  for (const auto& problem : node.problems) {
    auto labels = problem.labels;
    labels.erase("host");
    places.push_back({problem.check, problem.metric, std::move(labels)});
  }
  return places;
}

// Of a node that stands as it stood: what was found of it in one night only, or is worse than it was.
void add_findings(const FleetNode& a, const FleetNode& b, std::vector<compare::Change>& changes) {
  const auto places_a = places_of(a), places_b = places_of(b);
  for (const compare::Match& match : compare::matches(places_a, places_b)) {
    const SummaryProblem* before = match.a ? &a.problems[*match.a] : nullptr;
    const SummaryProblem* after = match.b ? &b.problems[*match.b] : nullptr;
    const bool is_same = before != nullptr && after != nullptr && before->status == after->status;
    // Of a node with more problems than its report holds nobody knows what was left out.
    if (is_same || (after == nullptr && b.omitted > 0) || (before == nullptr && a.omitted > 0)) continue;
    const bool is_worse = after != nullptr && (before == nullptr || after->status > before->status);
    const SummaryProblem& told = is_worse ? *after : *before;
    compare::Change change{.kind = is_worse ? compare::Kind::worse : compare::Kind::better,
                           .subject = compare::Subject::finding,
                           .check = told.check,
                           .host = b.name,
                           .metric = told.metric,
                           .labels = match.a ? places_a[*match.a].labels : places_b[*match.b].labels,
                           .fault = told.fault,
                           .reason = is_worse ? told.reason : "it was: " + told.reason};
    if (before != nullptr) change.before = std::string(to_text(before->status));
    if (after != nullptr) change.after = std::string(to_text(after->status));
    changes.push_back(std::move(change));
  }
}

void add_nodes(const FleetReport& a, const FleetReport& b, std::vector<compare::Change>& changes) {
  std::map<std::string, const FleetNode*> before;
  for (const auto& node : a.nodes) before[same_name(node.name)] = &node;
  for (const auto& node : b.nodes) {
    const auto known = before.find(same_name(node.name));
    if (known == before.end()) {
      const bool is_bad = node.status == Status::fail || node.status == Status::unknown;
      changes.push_back(change_of_node(is_bad ? compare::Kind::worse : compare::Kind::fresh, nullptr, &node));
      continue;
    }
    const compare::Kind kind = kind_of(*known->second, node);
    if (kind != compare::Kind::same)
      changes.push_back(change_of_node(kind, known->second, &node));
    else
      add_findings(*known->second, node, changes);
    if (known->second->profile != node.profile && !known->second->profile.empty() && !node.profile.empty())
      changes.push_back({.kind = compare::Kind::changed,
                         .subject = compare::Subject::setting,
                         .host = node.name,
                         .metric = "profile",
                         .before = known->second->profile,
                         .after = node.profile});
    before.erase(known);
  }
  for (const auto& [name, node] : before) changes.push_back(change_of_node(compare::Kind::gone, node, nullptr));
}

// Kinds of rates of which many nodes are slow, and files that are no reports: what only one night has.
void add_others(const FleetReport& a, const FleetReport& b, std::vector<compare::Change>& changes) {
  const auto add = [&](compare::Kind kind, const FleetReport& here, const FleetReport& there) {
    for (const auto& each : here.peers.divided)
      if (std::ranges::none_of(there.peers.divided, [&](const Division& other) {
            return other.metric == each.metric && other.labels == each.labels && other.profile == each.profile;
          }))
        changes.push_back({.kind = kind,
                           .subject = compare::Subject::finding,
                           .metric = each.metric,
                           .labels = each.labels,
                           .reason = each.reason});
    for (const auto& file : here.unreadable)
      if (std::ranges::find(there.unreadable, file.path, &Unreadable::path) == there.unreadable.end())
        changes.push_back({.kind = kind, .subject = compare::Subject::file, .host = file.path, .reason = file.reason});
  };
  add(compare::Kind::worse, b, a);
  add(compare::Kind::better, a, b);
}

}  // namespace

compare::Comparison comparison_of(const FleetReport& a, const FleetReport& b) {
  compare::Comparison comparison{.is_of_fleets = true, .a = side_of(a), .b = side_of(b)};
  if (a.version != b.version)
    comparison.differences.push_back(fmt::format("version of muster ({}, {})", a.version, b.version));
  add_nodes(a, b, comparison.changes);
  add_others(a, b, comparison.changes);
  compare::sort(comparison.changes);
  return comparison;
}

}  // namespace muster::healthcheck::fleet
