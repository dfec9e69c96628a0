// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/groups.hpp"

#include <gtest/gtest.h>

#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

using Colours = std::vector<int>;

const std::vector<std::string> two_nodes{"a", "a", "a", "a", "b", "b", "b", "b"};
const std::vector<std::string> in_turns{"b", "a", "b", "a", "b", "a", "b", "a"};

TEST(Groups, OfNodesAreTheRanksOfAHost) {
  EXPECT_EQ(groups("node", two_nodes), (Colours{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(groups("node", in_turns), (Colours{0, 1, 0, 1, 0, 1, 0, 1})) << "in the order in which hosts come";
}

TEST(Groups, OfRailsAreTheSameNumberOnEachHost) {
  EXPECT_EQ(groups("rail", two_nodes), (Colours{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(groups("rail", in_turns), (Colours{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(Groups, OfNumbersAreThoseOfNcclTests) {
  EXPECT_EQ(groups("mod:2", two_nodes), (Colours{0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(groups("div:2", two_nodes), (Colours{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(Groups, ThatAreNotEqualAreRefused) {
  EXPECT_THROW(groups("mod:3", two_nodes), UsageError);
  EXPECT_THROW(groups("mod:8", two_nodes), UsageError) << "groups of one rank move no data";
  EXPECT_THROW(groups("node", {"a", "a", "b"}), UsageError);
  EXPECT_THROW(groups("rail", {"a", "a"}), UsageError) << "one host has no rails";
}

TEST(Groups, OfUnknownWordsAreRefused) {
  for (const auto* word : {"mod", "mod:", "mod:0", "mod:-1", "mod:2x", "nodes", ""})
    EXPECT_THROW(groups(word, two_nodes), UsageError) << word;
}

TEST(Groups, ExtendOverHostsAndTheirRanks) {
  EXPECT_EQ(span_labels({}, two_nodes), (results::Labels{{"hosts", "2"}, {"ranks_per_host", "4"}}));
  EXPECT_EQ(span_labels(groups("node", two_nodes), two_nodes),
            (results::Labels{{"hosts", "1"}, {"ranks_per_host", "4"}}));
  EXPECT_EQ(span_labels(groups("rail", two_nodes), two_nodes),
            (results::Labels{{"hosts", "2"}, {"ranks_per_host", "1"}}));
  EXPECT_EQ(span_labels({}, {"a", "a", "b"}), (results::Labels{{"hosts", "2"}, {"ranks_per_host", "1-2"}}));
}

}  // namespace
}  // namespace muster::healthcheck
