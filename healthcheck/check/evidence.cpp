// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/evidence.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "topology/evidence/evidence.hpp"

namespace muster::healthcheck {

std::vector<topology::Counter> read_evidence(const topology::Sysfs& sysfs) {
  std::vector<topology::Counter> counters;
  for (const auto source : topology::evidence_sources()) {
    auto found = source(sysfs);
    counters.insert(counters.end(), std::move_iterator(found.begin()), std::move_iterator(found.end()));
  }
  return counters;
}

std::vector<results::Delta> deltas(const std::vector<topology::Counter>& before,
                                   const std::vector<topology::Counter>& after) {
  std::map<std::pair<std::string, results::Labels>, double> values;
  for (const auto& counter : before) values[{counter.metric, counter.labels}] = counter.value;
  std::vector<results::Delta> both;
  for (const auto& counter : after)
    if (const auto at = values.find({counter.metric, counter.labels}); at != values.end())
      both.push_back({counter.metric, counter.labels, at->second, counter.value});
  return both;
}

std::string lost_counter(const std::vector<topology::Counter>& before, const std::vector<topology::Counter>& after) {
  std::set<std::pair<std::string, results::Labels>> there;
  for (const auto& counter : after) there.emplace(counter.metric, counter.labels);
  for (const auto& counter : before)
    if (!there.contains({counter.metric, counter.labels}))
      return fmt::format("{} ({})", counter.metric, results::to_text(counter.labels));
  return "";
}

}  // namespace muster::healthcheck
