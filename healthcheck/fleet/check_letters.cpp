// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/check_letters.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

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
  std::vector<bool> is_named(names.size());
  for (const auto& node : report.nodes)
    for (const auto& each : node.statuses) is_named[each.check] = true;
  std::map<std::string_view, std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < names.size(); ++number)
    if (is_named[number]) numbers.emplace(names[number], number);
  std::vector<std::size_t> places(names.size());
  for (const auto& [name, number] : numbers) {
    places[number] = report.checks.size();
    report.checks.emplace_back(name);
  }
  for (auto& node : report.nodes) {
    if (node.statuses.empty()) continue;
    node.checks.assign(report.checks.size(), not_run);
    for (const auto& each : std::exchange(node.statuses, {})) node.checks[places[each.check]] = letter_of(each.status);
    for (const auto& problem : node.problems)  // of what was found beside other nodes, too
      if (const auto known = numbers.find(problem.check); known != numbers.end())
        if (auto& letter = node.checks[places[known->second]];
            status_of(letter).value_or(Status::skip) < problem.status)
          letter = letter_of(problem.status);
  }
}

}  // namespace muster::healthcheck::fleet
