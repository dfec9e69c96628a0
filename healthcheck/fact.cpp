// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fact.hpp"

#include <algorithm>

namespace muster::healthcheck {

bool in_force(const Expectation& expectation, const results::Selection& selection) {
  return expectation.tier <= selection.tier && (expectation.check.empty() || selection.selects(expectation.check));
}

bool matches(const results::Labels& labels, const results::Labels& filter) {
  return std::ranges::all_of(filter, [&](const auto& wanted) {
    const auto at = labels.find(wanted.first);
    return at != labels.end() && at->second == wanted.second;
  });
}

results::Labels placed(results::Labels labels, const results::CheckRun& run) {
  labels.insert(run.component.begin(), run.component.end());
  if (const auto place = results::place(run); !place.empty()) labels.emplace("host", place);
  return labels;
}

std::vector<Fact> facts_for(const Expectation& expectation, const results::Report& report) {
  std::vector<Fact> facts;
  for (std::size_t i = 0; i < report.checks.size(); ++i) {
    const auto& run = report.checks[i];
    if (run.check != expectation.check) continue;
    for (const auto& measurement : run.measurements) {
      if (measurement.metric != expectation.metric) continue;
      Fact fact{.run = i, .measurement = &measurement, .labels = placed(measurement.labels, run)};
      if (matches(fact.labels, expectation.labels)) facts.push_back(std::move(fact));
    }
  }
  return facts;
}

std::vector<std::string> host_names(const results::Report& report) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const auto& host : report.hosts) add(host.name);
  for (const auto& run : report.checks) add(run.host);
  return names;
}

std::vector<std::size_t> first_looks(const results::Report& report, std::string_view check, std::string_view host) {
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < report.checks.size(); ++i)
    if (const auto& run = report.checks[i]; run.check == check && run.host == host && run.attempt <= 1)
      runs.push_back(i);
  return runs;
}

}  // namespace muster::healthcheck
