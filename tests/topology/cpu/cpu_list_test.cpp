// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cpu_list.hpp"

#include <gtest/gtest.h>

#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

TEST(CpuList, RangesAndSingleNumbers) {
  EXPECT_EQ(cpu_list("0-2,8"), (std::vector<int>{0, 1, 2, 8}));
  EXPECT_EQ(cpu_list("5"), std::vector<int>{5});
  EXPECT_EQ(cpu_list("0-95").size(), 96U);
}

TEST(CpuList, EmptyTextIsNoCpus) { EXPECT_TRUE(cpu_list("").empty()); }

TEST(CpuList, GarbageIsAnErrorThatQuotesTheText) {
  for (const auto* text : {"a", "0-", "-3", "0,,2", "1-2-3", "0 1", "3-1", "0-999999999", "99999999999999"}) try {
      cpu_list(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("'" + std::string(text) + "'"), std::string::npos) << error.what();
    }
}

TEST(CpuList, TextIsTheShortForm) {
  EXPECT_EQ(to_text(std::vector<int>{0, 1, 2, 8}), "0-2,8");
  EXPECT_EQ(to_text(std::vector<int>{1, 3}), "1,3");
  EXPECT_EQ(to_text(std::vector<int>{}), "");
}

}  // namespace
}  // namespace muster::topology
