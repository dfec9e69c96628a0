// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

namespace muster::healthcheck::fleet {
namespace {

using results::Selection;
using results::Status;

bool is_tested(const FleetNode& node) { return !node.reports.empty(); }

// What more than half of the nodes that were tested have; nothing where no such is.
template <typename Of>
auto majority(const std::vector<FleetNode>& nodes, Of of) -> std::optional<decltype(of(nodes.front()))> {
  std::map<decltype(of(nodes.front())), std::size_t> counts;
  std::size_t tested = 0;
  for (const auto& node : nodes) {
    if (!is_tested(node)) continue;
    ++tested;
    ++counts[of(node)];
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
  if (most == counts.end() || 2 * most->second <= tested) return std::nullopt;
  return most->first;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

// Those of the first list that the second has not; both are in rising order.
std::vector<std::string> without(const std::vector<std::string>& all, const std::vector<std::string>& these) {
  std::vector<std::string> left;
  std::ranges::set_difference(all, these, std::back_inserter(left));
  return left;
}

// Which checks one selection leaves out and another does not, in words; empty where there are none.
std::string fewer_checks(const Selection& own, const Selection& usual) {
  if (!own.only.empty() && usual.only.empty()) return fmt::format("only {} ran", fmt::join(own.only, ", "));
  const auto unasked = own.only.empty() ? std::vector<std::string>{} : without(sorted(usual.only), sorted(own.only));
  const auto skipped = without(sorted(own.skip), sorted(usual.skip));
  if (!unasked.empty()) return fmt::format("{} did not run", fmt::join(unasked, ", "));
  return skipped.empty() ? "" : fmt::format("{} did not run", fmt::join(skipped, ", "));
}

std::string other(std::string_view what, std::string_view found, std::string_view usual) {
  return fmt::format("{} {} instead of {}", what, found, usual);
}

// What a node lacks of what most have.
std::vector<std::string> lacks(
    const FleetNode& node, const std::optional<std::string>& profile, const std::optional<results::Tier>& tier,
    const std::optional<std::pair<std::vector<std::string>, std::vector<std::string>>>& checks) {
  std::vector<std::string> found;
  if (profile && node.profile != *profile) found.push_back(other("profile", node.profile, *profile));
  if (!node.selection) return found;
  if (tier && node.selection->tier < *tier)
    found.push_back(other("tier", results::to_text(node.selection->tier), results::to_text(*tier)));
  if (checks) {
    auto fewer = fewer_checks(*node.selection, {.tier = {}, .only = checks->first, .skip = checks->second});
    if (!fewer.empty()) found.push_back(std::move(fewer));
  }
  return found;
}

// What a node lacks of what is wanted.
std::vector<std::string> lacks(const FleetNode& node, const WantedCoverage& wanted) {
  auto found = lacks(node, wanted.profile, wanted.tier, std::nullopt);
  const auto is_left_out = [&](const std::string& check) {
    const bool has_ended = !node.finished || std::ranges::find(*node.finished, check) != node.finished->end();
    return !node.selection->selects(check) || !has_ended;
  };
  std::vector<std::string> left_out;
  if (node.selection) std::ranges::copy_if(wanted.checks, std::back_inserter(left_out), is_left_out);
  if (!left_out.empty()) found.push_back(fmt::format("{} did not run", fmt::join(left_out, ", ")));
  const bool is_untold = !node.selection && (wanted.tier > results::Tier::preflight || !wanted.checks.empty());
  if (is_untold) found.emplace_back("its report does not tell its tier and its checks");
  return found;
}

void add_reason(FleetNode& node, const std::string& reason) {
  node.reason += node.reason.empty() ? reason : "; " + reason;
}

}  // namespace

void compare_with_coverage(std::vector<FleetNode>& nodes, const WantedCoverage& wanted) {
  const auto profile = majority(nodes, [](const FleetNode& node) { return node.profile; });
  const auto tier = majority(nodes, [](const FleetNode& node) { return node.selection.value_or(Selection{}).tier; });
  const auto checks = majority(nodes, [](const FleetNode& node) {
    const auto selection = node.selection.value_or(Selection{});
    return std::pair(selection.only, selection.skip);
  });
  for (auto& node : nodes) {
    if (!is_tested(node)) continue;
    if (const auto missing = lacks(node, wanted); !missing.empty()) {
      add_reason(node, fmt::format("it was not tested as is wanted: {}", fmt::join(missing, ", ")));
      node.coverage = Coverage::missing;
      node.status = Status::fail;
    } else if (const auto less = lacks(node, wanted.profile ? std::nullopt : profile, tier, checks); !less.empty()) {
      add_reason(node, fmt::format("it was tested otherwise than most: {}", fmt::join(less, ", ")));
      node.status = std::max(node.status, Status::warn);
    }
  }
}

}  // namespace muster::healthcheck::fleet
