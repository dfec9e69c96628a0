// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/dissenters.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster::healthcheck {
namespace {

using Odd = std::vector<Dissenter>;

TEST(OddOnes, AreTheMinorityOfThreeOrMore) {
  EXPECT_EQ(dissenters(std::vector<Vote>{{"h100", "a"}, {"h100", "b"}, {"h100", "a"}}), (Odd{{.odd = 1, .usual = 0}}));
  EXPECT_EQ(dissenters(std::vector<Vote>{{"h100", "c"}, {"h100", "b"}, {"h100", "a"}, {"h100", "a"}, {"h100", "a"}}),
            (Odd{{.odd = 0, .usual = 2}, {.odd = 1, .usual = 2}}));
}

TEST(OddOnes, AreNotAmongEqualsNorAmongTwoNorWhereNobodyHasMostVotes) {
  EXPECT_EQ(dissenters(std::vector<Vote>{{"h100", "a"}, {"h100", "a"}, {"h100", "a"}}), Odd{});
  EXPECT_EQ(dissenters(std::vector<Vote>{{"h100", "a"}, {"h100", "b"}}), Odd{});
  EXPECT_EQ(dissenters(std::vector<Vote>{{"h100", "a"}, {"h100", "b"}, {"h100", "a"}, {"h100", "b"}}), Odd{});
  EXPECT_EQ(dissenters({}), Odd{});
}

TEST(OddOnes, AreAmongTheirOwnModel) {
  EXPECT_EQ(dissenters(std::vector<Vote>{{"h100", "a"}, {"h200", "b"}, {"h100", "a"}, {"h100", "a"}}), Odd{});
}

}  // namespace
}  // namespace muster::healthcheck
