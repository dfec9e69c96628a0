// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/check/context.hpp"

namespace muster::healthcheck {

// The group of each rank, by rank, from 0: "node" (those of one host), "rail" (those that are the same number on their
// hosts), "mod:N" (rank modulo N) or "div:N" (rank divided by N). Throws UsageError where that makes no equal groups of
// several ranks.
std::vector<int> groups(std::string_view split, const std::vector<std::string>& hosts);

// Labels "hosts" and "ranks_per_host" of the groups; "7-8" where they differ. All ranks are one group when none is
// given.
results::Labels span_labels(const std::vector<int>& groups, const std::vector<std::string>& hosts);

// The ranks among which data move: all of the job, or the group that this one is in. Collective.
class RankGroup {
 public:
  // `split` is empty for all.
  RankGroup(const Context& context, const std::string& split);

  benchmarks::Ranks& ranks() const { return own_ ? *own_ : all_; }
  // By rank; empty where the job is one.
  const std::vector<int>& groups() const { return groups_; }
  // Over how many hosts data move, and between how many ranks of each.
  const results::Labels& span_labels() const { return extent_; }

 private:
  benchmarks::Ranks& all_;
  std::vector<int> groups_;
  results::Labels extent_;
  std::unique_ptr<benchmarks::Ranks> own_;
};

}  // namespace muster::healthcheck
