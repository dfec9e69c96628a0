// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/collective_options.hpp"

#include <gtest/gtest.h>

#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

using results::Tier;
using Sizes = std::vector<std::size_t>;

class Sized : public testing::Test {
 protected:
  // As somebody would say it.
  void say(const std::vector<std::string>& words) {
    std::vector<const char*> arguments{"test"};
    for (const auto& word : words) arguments.push_back(word.c_str());
    CommandLine line("a test", "test");
    options_.add_to(line, benchmarks::data_types, benchmarks::reductions);
    ASSERT_EQ(line.run(static_cast<int>(arguments.size()), arguments.data(), [] { return 0; }), 0);
  }

  CollectiveOptions options_{{.least = 4, .greatest = 64, .max_in_full = 1024, .factor = 4}};
};

TEST_F(Sized, AreMoreInTheFullTier) {
  EXPECT_EQ(options_.sizes(Tier::quick), (Sizes{4, 16, 64}));
  EXPECT_EQ(options_.sizes(Tier::full), (Sizes{4, 16, 64, 256, 1024}));
}

TEST_F(Sized, AreLoweredUntilTheyFit) {
  options_.fit([](std::size_t bytes) { return bytes <= 100; });
  EXPECT_EQ(options_.sizes(Tier::quick), (Sizes{4, 16, 64}));
  EXPECT_EQ(options_.sizes(Tier::full), (Sizes{4, 16, 64}));
  options_.fit([](std::size_t) { return false; });
  EXPECT_EQ(options_.sizes(Tier::full), Sizes{4}) << "the smallest is tried";
}

TEST_F(Sized, AreWhatSomebodyAskedForInEveryTier) {
  say({"-e", "32"});
  EXPECT_EQ(options_.greatest(), 32U);
  options_.fit([](std::size_t) { return false; });
  EXPECT_EQ(options_.sizes(Tier::quick), (Sizes{4, 16}));
  EXPECT_EQ(options_.sizes(Tier::full), (Sizes{4, 16}));
}

TEST_F(Sized, OnlyWhatSomebodyAskedForLeavesOthersOut) {
  EXPECT_EQ(options_.selected(Tier::quick), (results::Selected{{"operation", {"allreduce"}}}));
  say({"-e", "32", "--operation", "all-gather", "--split", "rail"});
  EXPECT_EQ(options_.selected(Tier::quick),
            (results::Selected{{"hosts", {}}, {"operation", {"all-gather"}}, {"size", {"4 B", "16 B"}}}));
}

TEST_F(Sized, WhatDoesNotFitIsStillWanted) {
  say({"-b", "16"});
  options_.fit([](std::size_t bytes) { return bytes < 64; });
  EXPECT_EQ(options_.sizes(Tier::quick), Sizes{16});
  EXPECT_EQ(options_.selected(Tier::quick).at("size"), (std::vector<std::string>{"16 B", "64 B"}));
}

TEST_F(Sized, CollectivesGoBothWaysUnlessSomebodyWantsOne) {
  EXPECT_EQ(options_.collectives({}).size(), 2U);
  say({"--in-place", "--out-of-place"});
  EXPECT_EQ(options_.collectives({}).size(), 2U);
}

TEST_F(Sized, OneWayIsThatAlone) {
  say({"--in-place"});
  ASSERT_EQ(options_.collectives({}).size(), 1U);
  EXPECT_TRUE(options_.collectives({})[0].in_place);
  say({"--both"});
  EXPECT_EQ(options_.collectives({}).size(), 2U);
}

TEST_F(Sized, WhatNobodyCanMoveIsBadInput) {
  say({"-b", "4", "-e", "11", "--operation", "all-gather"});
  EXPECT_NO_THROW(options_.expect_moved(Tier::quick, 1));
  EXPECT_THROW(options_.expect_moved(Tier::quick, 2), UsageError) << "two floats are 8 B, and the greatest size is 4 B";
  say({"-b", "8"});
  EXPECT_NO_THROW(options_.expect_moved(Tier::quick, 2));
}

}  // namespace
}  // namespace muster::healthcheck
