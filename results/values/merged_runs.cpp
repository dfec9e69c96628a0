// SPDX-License-Identifier: Apache-2.0
#include "results/values/merged_runs.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "results/values/merged_labels.hpp"

namespace muster::results {
namespace {

auto ending_of(const CheckRun& run) {
  return std::tie(run.check, run.host, run.attempt, run.status, run.outcome, run.reason, run.information);
}

// With what it measured said to be of its component.
CheckRun placed(CheckRun run) {
  for (Measurement& measurement : run.measurements)
    measurement.labels.insert(run.component.begin(), run.component.end());
  return run;
}

void add(CheckRun& all, CheckRun one) {
  std::ranges::move(one.measurements, std::back_inserter(all.measurements));
  std::ranges::move(one.verdicts, std::back_inserter(all.verdicts));
  all.duration_seconds = std::max(all.duration_seconds, one.duration_seconds);
  if (all.started.empty()) all.started = one.started;
}

}  // namespace

std::vector<CheckRun> merged(const std::vector<CheckRun>& runs) {
  std::vector<CheckRun> told;
  std::map<std::size_t, std::vector<Labels>> components;  // of those that stand for several
  for (const CheckRun& run : runs) {
    const auto is_alike = [&](const CheckRun& other) {
      return !run.component.empty() && !other.component.empty() && ending_of(run) == ending_of(other);
    };
    const auto alike = std::ranges::find_if(told, is_alike);
    if (alike == told.end()) {
      told.push_back(placed(run));
    } else {
      add(*alike, placed(run));
      auto& all = components[static_cast<std::size_t>(alike - told.begin())];
      if (all.empty()) all.push_back(alike->component);
      all.push_back(run.component);
    }
  }
  for (const auto& [place, all] : components)
    if (auto together = merged(all); together.size() == 1) told[place].component = std::move(together.front());
  return told;
}

}  // namespace muster::results
