// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/fact.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace muster::healthcheck {
namespace {

std::optional<std::size_t> leading_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

}  // namespace

bool in_force(const Expectation& expectation, const results::Selection& selection) {
  return expectation.tier <= selection.tier && (expectation.check.empty() || selection.selects(expectation.check));
}

bool satisfies(std::string_view value, std::string_view wanted) {
  if (!wanted.ends_with('+')) return value == wanted;
  const auto least = leading_number(wanted);
  const auto found = leading_number(value);
  return least ? found && *found >= *least : value == wanted;
}

bool matches(const results::Labels& labels, const results::Labels& filter) {
  return std::ranges::all_of(filter, [&](const auto& wanted) {
    const auto at = labels.find(wanted.first);
    return at != labels.end() && satisfies(at->second, wanted.second);
  });
}

results::Labels with_component(results::Labels labels, const results::CheckRun& run) {
  labels.insert(run.component.begin(), run.component.end());
  if (const auto place = results::place(run); !place.empty()) labels.emplace("host", place);
  return labels;
}

std::string host_of(const Fact& fact) {
  const auto at = fact.labels.find("host");
  return at == fact.labels.end() ? "" : at->second;
}

std::vector<Fact> facts_for(const Expectation& expectation, const results::Report& report) {
  std::vector<Fact> facts;
  for (std::size_t i = 0; i < report.checks.size(); ++i) {
    const auto& run = report.checks[i];
    if (run.check != expectation.check) continue;
    for (const auto& measurement : run.measurements) {
      if (measurement.metric != expectation.metric) continue;
      Fact fact{.run = i, .measurement = &measurement, .labels = with_component(measurement.labels, run)};
      if (matches(fact.labels, expectation.labels)) facts.push_back(std::move(fact));
    }
  }
  return facts;
}

std::vector<std::string> host_names(const results::Report& report) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) names.push_back(name);
  };
  for (const auto& host : report.hosts) add(host.name);
  for (const auto& run : report.checks) add(run.host);
  return names;
}

std::map<std::string, std::vector<std::size_t>> first_attempts(const results::Report& report, std::string_view check) {
  std::map<std::string, std::vector<std::size_t>> runs;
  for (std::size_t i = 0; i < report.checks.size(); ++i)
    if (const auto& run = report.checks[i]; run.check == check && run.attempt <= 1) runs[run.host].push_back(i);
  return runs;
}

}  // namespace muster::healthcheck
