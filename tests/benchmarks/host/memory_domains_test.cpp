// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/memory_domains.hpp"

#include <gtest/gtest.h>

namespace muster::benchmarks::host {
namespace {

using Cpus = std::vector<unsigned>;

constexpr double mebi = 1 << 20;
const std::vector<NumaNode> two_nodes{{.number = 0, .cpus = {0, 2}}, {.number = 3, .cpus = {4, 6}}};

TEST(MemoryDomains, AreTheMachineAndEachOfItsNodes) {
  const auto domains = memory_domains(two_nodes, 1000);
  ASSERT_EQ(domains.size(), 3u);
  EXPECT_EQ(domains[0].numa, "all");
  EXPECT_EQ(domains[0].cpus, (Cpus{0, 2, 4, 6}));
  EXPECT_EQ(domains[1].numa, "0");
  EXPECT_EQ(domains[1].cpus, (Cpus{0, 2}));
  EXPECT_EQ(domains[2].numa, "3");
  EXPECT_EQ(domains[2].cpus, (Cpus{4, 6}));
}

TEST(MemoryDomains, AreMeasuredOnceWhenThereIsOneNode) {
  const auto domains = memory_domains(std::span(two_nodes).first(1), 1000);
  ASSERT_EQ(domains.size(), 1u);
  EXPECT_EQ(domains[0].numa, "all");
}

TEST(MemoryDomains, AreNotSplitWhenThreadsAreTooFew) {
  const auto domains = memory_domains(two_nodes, 3);
  ASSERT_EQ(domains.size(), 1u);
  EXPECT_EQ(domains[0].cpus, (Cpus{0, 2, 4}));
}

TEST(ArrayBytes, AreFourTimesTheCaches) { EXPECT_EQ(array_bytes(100 * mebi), 400 * mebi); }

TEST(ArrayBytes, AreWholeHugePages) { EXPECT_EQ(array_bytes(100 * mebi + 1), 402 * mebi); }

TEST(ArrayBytes, AreNeverTooFewForAnHonestClock) { EXPECT_EQ(array_bytes(1), 64 * mebi); }

TEST(ArrayBytes, FitWhenTheyTakeAtMostHalfOfTheMemory) {
  EXPECT_TRUE(fits(100, 600));
  EXPECT_FALSE(fits(100, 599));
}

}  // namespace
}  // namespace muster::benchmarks::host
