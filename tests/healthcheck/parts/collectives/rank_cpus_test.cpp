// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/rank_cpus.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "topology/cpu/cpu_list.hpp"

namespace muster::tests {
namespace {

struct Spread {
  const char* name;
  std::vector<std::string> cpus;  // of each rank
  std::optional<double> quota;
  double ranks_per_cpu;
};

void PrintTo(const Spread& spread, std::ostream* out) { *out << spread.name; }

class RanksPerCpu : public testing::TestWithParam<Spread> {};

TEST_P(RanksPerCpu, IsTheMostThatHaveToShareOne) {
  std::vector<topology::UsableCpus> ranks;
  for (const auto& cpus : GetParam().cpus)
    ranks.push_back({.allowed = topology::cpu_list(cpus), .quota = GetParam().quota});
  EXPECT_DOUBLE_EQ(healthcheck::ranks_per_cpu(ranks), GetParam().ranks_per_cpu);
}

INSTANTIATE_TEST_SUITE_P(Spreads, RanksPerCpu,
                         testing::Values(Spread{"one_cpu_each", {"0", "1"}, std::nullopt, 1},
                                         Spread{"both_on_one_cpu", {"0", "0"}, std::nullopt, 2},
                                         Spread{
                                             "two_on_one_cpu_beside_an_idle_one", {"0", "0", "1-3"}, std::nullopt, 2},
                                         Spread{"free_on_all", {"0-3", "0-3", "0-3", "0-3"}, std::nullopt, 1},
                                         Spread{"more_than_all_cpus", {"0-1", "0-1", "0-1"}, std::nullopt, 1.5},
                                         Spread{"free_ones_beside_bound_ones", {"0", "1", "0-1"}, std::nullopt, 1.5},
                                         Spread{"one_group_of_two", {"0-1", "0-1", "0-1", "2-7"}, std::nullopt, 1.5},
                                         Spread{"few_on_many", {"0-47", "48-95"}, std::nullopt, 1.0 / 48},
                                         Spread{"a_quota_of_less_than_the_ranks", {"0-95", "0-95", "0-95"}, 1.5, 2},
                                         Spread{"a_quota_of_enough", {"0-95", "0-95"}, 2, 1},
                                         Spread{"one_rank_with_half_a_cpu", {"0-95"}, 0.5, 1}),
                         [](const auto& spread) { return std::string(spread.param.name); });

}  // namespace
}  // namespace muster::tests
