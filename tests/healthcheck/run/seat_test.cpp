// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/seat.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "topology/kernel/error.hpp"

namespace muster::healthcheck {
namespace {

const std::vector<topology::RankPlacement> two{{.rank = 0, .cpus = {0, 1, 2, 8}}, {.rank = 1, .cpus = {3, 4}}};

TEST(Seats, AreTheCpusOfEachRankOfAHost) { EXPECT_EQ(seats_in_words(two), "0-2,8 3-4"); }

TEST(Seats, ARankOnItsOwnIsNotMisplaced) {
  const auto seats = seats_in_words(two);
  EXPECT_EQ(misplacement(seats, 0, std::vector{0, 1, 2, 8}), "");
  EXPECT_EQ(misplacement(seats, 3, std::vector{3, 4}), "");  // the second one of the second host
  EXPECT_EQ(misplacement("", 0, std::vector{0, 1}), "");     // nobody asked
}

TEST(Seats, OtherMoreOrFewerCpusAreNamed) {
  const auto seats = seats_in_words(two);
  EXPECT_EQ(misplacement(seats, 1, std::vector{0, 1, 2, 3, 4, 5}), "0-5 instead of 3-4");
  EXPECT_EQ(misplacement(seats, 1, std::vector{0, 1}), "0-1 instead of 3-4");
  EXPECT_EQ(misplacement(seats, 1, std::vector{3}), "3 instead of 3-4");
}

TEST(Seats, WordsThatAreNoneAreRefused) { EXPECT_THROW(misplacement("many", 0, {}), topology::Error); }

}  // namespace
}  // namespace muster::healthcheck
