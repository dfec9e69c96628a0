// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/gid.hpp"

#include <gtest/gtest.h>

#include <array>

namespace muster::benchmarks::verbs {
namespace {

ibv_gid_entry entry(std::uint32_t index, std::uint32_t type, std::array<std::uint8_t, 16> raw) {
  ibv_gid_entry made{};
  made.gid_index = index;
  made.gid_type = type;
  std::copy(raw.begin(), raw.end(), std::begin(made.gid.raw));
  return made;
}

constexpr std::array<std::uint8_t, 16> ipv4 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 9, 9, 1};
constexpr std::array<std::uint8_t, 16> link_local = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x50, 0x54, 0, 0xff, 0xfe, 0, 0, 1};

TEST(ChooseGid, PrefersRoce2AndThenIpv4) {
  const std::array table = {entry(0, IBV_GID_TYPE_ROCE_V1, link_local), entry(1, IBV_GID_TYPE_ROCE_V2, link_local),
                            entry(2, IBV_GID_TYPE_ROCE_V1, ipv4), entry(3, IBV_GID_TYPE_ROCE_V2, ipv4)};
  const auto chosen = choose_gid(table);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->entry.gid_index, 3U);
  EXPECT_EQ(chosen->reason, "index 3, RoCE v2, IPv4 10.9.9.1");
  EXPECT_EQ(choose_gid(std::span(table).first(3))->entry.gid_index, 1U);
  EXPECT_EQ(choose_gid(table, 2)->reason, "index 2, RoCE v1, IPv4 10.9.9.1") << "which was asked for";
  EXPECT_FALSE(choose_gid(table, 4));
}

TEST(ChooseGid, OfInfiniBandIsTheFirst) {
  const std::array table = {entry(0, IBV_GID_TYPE_IB, link_local), entry(1, IBV_GID_TYPE_IB, link_local)};
  EXPECT_EQ(choose_gid(table)->reason, "index 0, InfiniBand, GID fe80:0000:0000:0000:5054:00ff:fe00:0001");
}

TEST(ChooseGid, OfAnEmptyTableIsNone) { EXPECT_FALSE(choose_gid({})); }

}  // namespace
}  // namespace muster::benchmarks::verbs
