// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/check_letters.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

constexpr std::string_view status_letters = "spwuf";

}  // namespace

char letter_of(Status status) { return status_letters.at(static_cast<std::size_t>(status)); }

std::optional<Status> status_of(char letter) {
  const auto at = status_letters.find(letter);
  return at == status_letters.npos ? std::nullopt : std::optional(static_cast<Status>(at));
}

void name_checks(FleetReport& report, const StringTable& names) {
  std::map<std::string, std::size_t> places;
  for (const auto& node : report.nodes)
    for (const auto& each : node.statuses) places.emplace(names[each.check], 0);
  for (auto& [name, place] : places) {
    place = report.checks.size();
    report.checks.push_back(name);
  }
  for (auto& node : report.nodes) {
    if (node.statuses.empty()) continue;
    node.checks.assign(report.checks.size(), not_run);
    for (const auto& each : std::exchange(node.statuses, {}))
      node.checks[places[names[each.check]]] = letter_of(each.status);
    for (const auto& problem : node.problems)  // of what was found beside other nodes, too
      if (const auto at = places.find(problem.check); at != places.end())
        if (auto& letter = node.checks[at->second]; status_of(letter).value_or(Status::skip) < problem.status)
          letter = letter_of(problem.status);
  }
}

}  // namespace muster::healthcheck::fleet
