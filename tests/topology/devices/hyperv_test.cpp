// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/hyperv.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "tests/support/hyperv.hpp"

namespace muster::topology {
namespace {

using tests::record;

TEST(HypervPool, FieldsEndAtTheirFirstNul) {
  const auto pool = hyperv_pool(record("PhysicalHostName", "CHI01") + record("HostName", "CHI01"));
  EXPECT_TRUE(pool.problems.empty());
  ASSERT_EQ(pool.values.size(), 2U);
  EXPECT_EQ(pool.values.at("PhysicalHostName"), "CHI01");
}

TEST(HypervPool, ValuesMayHoldSpacesOrNothing) {
  const auto pool = hyperv_pool(record("Name", "two words") + record("Empty", ""));
  EXPECT_EQ(pool.values.at("Name"), "two words");
  EXPECT_EQ(pool.values.at("Empty"), "");
}

TEST(HypervPool, FieldsMayFillTheirWholeSize) {
  const auto pool = hyperv_pool(std::string(512, 'k') + std::string(2048, 'v'));
  EXPECT_EQ(pool.values.at(std::string(512, 'k')), std::string(2048, 'v'));
}

TEST(HypervPool, SizeThatIsNoMultipleIsSaidAndWholeRecordsStay) {
  const auto pool = hyperv_pool(record("HostName", "CHI01") + "torn");
  EXPECT_EQ(pool.values.at("HostName"), "CHI01");
  EXPECT_FALSE(pool.is_whole);
  ASSERT_EQ(pool.problems.size(), 1U);
  EXPECT_NE(pool.problems[0].find("2564 bytes"), std::string::npos) << pool.problems[0];
}

TEST(HypervPool, WhatIsNotUtf8IsSaidAndLeftOut) {
  const auto pool =
      hyperv_pool(record("Good", "yes") + record("Bad", "\xc3\x28") + record("\xed\xa0\x80", "surrogate"));
  EXPECT_EQ(pool.values.size(), 1U);
  ASSERT_EQ(pool.problems.size(), 2U);
  EXPECT_NE(pool.problems[0].find("record 1"), std::string::npos) << pool.problems[0];
}

TEST(HypervPool, EmptyFileIsAnEmptyPool) {
  EXPECT_TRUE(hyperv_pool(std::string_view()).values.empty());
  EXPECT_TRUE(hyperv_pool(std::string_view()).problems.empty());
}

TEST(HypervPool, OfAnNdv5NodeHasSixteenRecordsInSpiteOfTheirDirt) {
  const auto pool = hyperv_pool(Sysfs(tests::source_folder() / "tests/machines/ndv5"));
  ASSERT_TRUE(pool);
  EXPECT_TRUE(pool->problems.empty());
  EXPECT_EQ(pool->values.size(), 16U);
  EXPECT_EQ(pool->values.at("PhysicalHostName"), "CHI000000000017");
}

TEST(HypervPool, NothingOnOtherMachines) {
  EXPECT_FALSE(hyperv_pool(Sysfs(tests::source_folder() / "tests/machines/no_numa")));
}

}  // namespace
}  // namespace muster::topology
