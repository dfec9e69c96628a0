// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cpu_mask.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace muster::topology {
namespace {

TEST(CpuMask, FirstWordIsTheHighest) {
  EXPECT_EQ(cpus_of_mask("00000001,80000001"), (std::vector{0, 31, 32}));
  EXPECT_EQ(cpus_of_mask("f"), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(cpus_of_mask("0"), std::vector<int>());
  EXPECT_EQ(cpus_of_mask("0x00000000ff"), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(cpus_of_mask("0x1,0X2"), (std::vector{1, 32}));
}

TEST(CpuMask, WhatIsNoMaskIsNothing) {
  std::string too_many = "0";
  for (int word = 0; word < 32; ++word) too_many += ",0";
  for (const auto& text : {std::string(), std::string(","), std::string("0-47"), std::string("0x"),
                           std::string("fffffffff"), std::string("f,"), std::string(" f"), too_many})
    EXPECT_EQ(cpus_of_mask(text), std::nullopt) << text;
}

TEST(CpuMask, WrittenAsTheKernelDoes) {
  EXPECT_EQ(cpu_mask(std::vector{0, 31, 32}, 96), "00000000,00000001,80000001");
  EXPECT_EQ(cpu_mask(std::vector<int>(), 2), "00000000");
  EXPECT_EQ(cpu_mask(std::vector{40}, 2), "00000100,00000000");
}

}  // namespace
}  // namespace muster::topology
