// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/inter_host_bytes.hpp"

#include <gtest/gtest.h>

namespace muster::benchmarks {
namespace {

using Crossing = std::map<std::string, double>;

const std::vector<std::string> uneven{"a", "a", "a", "b"};

Crossing of(Operation operation, const std::vector<std::string>& hosts) {
  return inter_host_bytes({.operation = operation}, 1200, hosts);
}

TEST(Crossing, NothingLeavesTheOnlyHost) {
  for (const auto operation : operations) EXPECT_EQ(of(operation, {"a", "a"}), Crossing{}) << to_text(operation);
}

TEST(Crossing, OfAnAllreduceEveryHostsPartialSums) {
  EXPECT_EQ(of(Operation::allreduce, uneven), (Crossing{{"a", 1200}, {"b", 1200}}));
}

TEST(Crossing, OfAnAllGatherTheHostsOwnParts) {
  EXPECT_EQ(of(Operation::all_gather, uneven), (Crossing{{"a", 900}, {"b", 300}}));
}

TEST(Crossing, OfAReduceScatterTheSumsThatOthersKeep) {
  EXPECT_EQ(of(Operation::reduce_scatter, uneven), (Crossing{{"a", 300}, {"b", 900}}));
}

TEST(Crossing, OfABroadcastTheRootsAlone) {
  EXPECT_EQ(of(Operation::broadcast, uneven), (Crossing{{"a", 1200}}));
  EXPECT_EQ(of(Operation::broadcast, {"b", "a", "a"}), (Crossing{{"b", 1200}}));
}

TEST(Crossing, OfAnAllToAllWhatEachRankHasForThoseElsewhere) {
  EXPECT_EQ(of(Operation::all_to_all, uneven), (Crossing{{"a", 900}, {"b", 900}}));
}

TEST(Crossing, OfARingOfRanksItsStepsBetweenHosts) {
  EXPECT_EQ(of(Operation::send_receive, uneven), (Crossing{{"a", 1200}, {"b", 1200}}));
  EXPECT_EQ(of(Operation::send_receive, {"a", "b", "a", "b"}), (Crossing{{"a", 2400}, {"b", 2400}}));
}

}  // namespace
}  // namespace muster::benchmarks
