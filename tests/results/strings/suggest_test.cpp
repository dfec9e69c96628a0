// SPDX-License-Identifier: Apache-2.0
#include "results/strings/suggest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster::results {
namespace {

const std::vector<std::string> known = {"host_memory", "limits", "inventory"};

TEST(Suggestion, NamesTheNearestKnownWord) {
  EXPECT_EQ(suggestion("host_memroy", known), " Did you mean 'host_memory'?");
  EXPECT_EQ(suggestion("limit", known), " Did you mean 'limits'?");
  EXPECT_EQ(suggestion("fali", std::vector<std::string>{"unknown", "fail"}), " Did you mean 'fail'?")
      << "exchanged letters";
  EXPECT_EQ(suggestion("Inventory", known), " Did you mean 'inventory'?");
}

TEST(Suggestion, NamesThoseThatHoldAWordThatIsNearNone) {
  const std::vector<std::string> metrics = {"host_memory.bandwidth", "disk_io.rate", "disk_io.bandwidth"};
  EXPECT_EQ(suggestion("bandwidth", metrics), " Did you mean one of 'host_memory.bandwidth', 'disk_io.bandwidth'?");
  EXPECT_EQ(suggestion("rate", metrics), " Did you mean 'disk_io.rate'?");
  EXPECT_EQ(suggestion("io", metrics), "") << "too short to mean one";
  const std::vector<std::string> many(7, "a.size");
  EXPECT_EQ(suggestion("size", many),
            " Did you mean one of 'a.size', 'a.size', 'a.size', 'a.size', 'a.size', 'a.size', and 1 more?");
}

TEST(Suggestion, SaysNothingWhenNoWordIsNear) {
  EXPECT_EQ(suggestion("frobnicate", known), "");
  EXPECT_EQ(suggestion("", known), "");
  EXPECT_EQ(suggestion("limits", {}), "");
}

}  // namespace
}  // namespace muster::results
