// SPDX-License-Identifier: Apache-2.0
#include "results/values/majority.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace muster::results {
namespace {

std::optional<std::size_t> majority_of(const std::string& letters) {
  std::vector<Value> values;
  for (const char letter : letters) values.emplace_back(std::string(1, letter));
  return majority(values);
}

TEST(Majority, IsMoreThanHalfOfThreeOrMore) {
  EXPECT_EQ(majority_of("baa"), 1U);
  EXPECT_EQ(majority_of("abcaa"), 0U);
}

TEST(Majority, IsNobodyAmongTwoNorAmongHalves) {
  EXPECT_EQ(majority_of(""), std::nullopt);
  EXPECT_EQ(majority_of("aa"), std::nullopt);
  EXPECT_EQ(majority_of("aabb"), std::nullopt);
  EXPECT_EQ(majority_of("abc"), std::nullopt);
}

}  // namespace
}  // namespace muster::results
