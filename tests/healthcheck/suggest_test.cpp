// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/suggest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster::healthcheck {
namespace {

const std::vector<std::string> known = {"host_memory", "limits", "inventory"};

TEST(Suggestion, NamesTheNearestKnownWord) {
  EXPECT_EQ(suggestion("host_memroy", known), " Did you mean 'host_memory'?");
  EXPECT_EQ(suggestion("limit", known), " Did you mean 'limits'?");
  EXPECT_EQ(suggestion("Inventory", known), " Did you mean 'inventory'?");
}

TEST(Suggestion, SaysNothingWhenNoWordIsNear) {
  EXPECT_EQ(suggestion("frobnicate", known), "");
  EXPECT_EQ(suggestion("", known), "");
  EXPECT_EQ(suggestion("limits", {}), "");
}

}  // namespace
}  // namespace muster::healthcheck
