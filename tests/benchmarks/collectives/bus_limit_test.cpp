// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/bus_limit.hpp"

#include <gtest/gtest.h>

namespace muster::benchmarks {
namespace {

constexpr double eight_ndr = 400e9;  // B/s of eight ports of 400 Gb/s

double of_nodes(std::string_view algorithm, int nodes) {
  return allreduce_bus_limit(algorithm, nodes, 8 * nodes, eight_ndr);
}

TEST(BusLimit, OfARingIsWhatTheNicsCarry) {
  EXPECT_DOUBLE_EQ(of_nodes("RING", 2), 400e9);
  EXPECT_DOUBLE_EQ(of_nodes("RING", 128), 400e9);
}

TEST(BusLimit, OfATreeDoublesWithTwoNodes) {
  EXPECT_DOUBLE_EQ(of_nodes("TREE", 2), 750e9);
  EXPECT_NEAR(of_nodes("TREE", 3), 383e9, 1e9);
  EXPECT_NEAR(of_nodes("NVLS_TREE", 8), 394e9, 1e9);
}

TEST(BusLimit, OfOthersIsThatOfReductionInTheSwitches) {
  EXPECT_DOUBLE_EQ(of_nodes("COLLNET_CHAIN", 4), 2 * 400e9 * 31 / 32);
  EXPECT_DOUBLE_EQ(of_nodes("something new", 2), of_nodes("TREE", 2)) << "nobody is called impossible by a guess";
}

TEST(BusLimit, OfGpusIsWhatTheirLinksCarry) {
  constexpr double h100 = 450e9;
  EXPECT_DOUBLE_EQ(allreduce_link_limit("RING", 8, h100), 450e9);
  EXPECT_DOUBLE_EQ(allreduce_link_limit("TREE", 8, h100), 450e9);
  EXPECT_DOUBLE_EQ(allreduce_link_limit("NVLS", 8, h100), 700e9);
  EXPECT_DOUBLE_EQ(allreduce_link_limit("NVLS", 2, h100), 300e9);
  EXPECT_DOUBLE_EQ(allreduce_link_limit("something new", 8, h100), 700e9);
  EXPECT_DOUBLE_EQ(allreduce_link_limit("something new", 2, h100), 450e9);
}

}  // namespace
}  // namespace muster::benchmarks
