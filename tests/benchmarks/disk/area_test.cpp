// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/area.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "tests/support/disk.hpp"

namespace muster::benchmarks::disk {
namespace {

using testing::HasSubstr;

using tests::mebibyte;
constexpr auto block = Area::block_bytes;

// The data of a file of 4 MiB, of which the second has been written in memory only.
class AreaOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = folder_.why_no_disk(); !why.empty()) GTEST_SKIP() << why;
    file_.emplace(folder_.path(), 4 * mebibyte);
    area_.emplace(*file_);
    write();
  }

  void write() {
    area_->fill(data_, 0);
    area_->prepare(data_, mebibyte);
    area_->wrote(data_.size(), mebibyte, 0);
  }
  WrongBlocks wrong() {
    area_->verify(data_, mebibyte);
    return area_->wrong();
  }
  Area& area() { return *area_; }
  std::vector<std::byte>& data() { return data_; }

 private:
  tests::DiskFolder folder_;
  std::optional<OwnFile> file_;
  std::optional<Area> area_;
  std::vector<std::byte> data_ = std::vector<std::byte>(mebibyte);
};

TEST_F(AreaOnDisk, KnowsWhatWasWritten) { EXPECT_EQ(wrong().count, 0); }

TEST_F(AreaOnDisk, FindsAFlippedBitAndSaysWhere) {
  data()[5 * block + 1234] ^= std::byte{4};
  const auto found = wrong();
  EXPECT_EQ(found.count, 1);
  EXPECT_THAT(found.first, HasSubstr("1 of 4096 bytes differ, the first at offset 1070290: expected "));
}

TEST_F(AreaOnDisk, FindsAWriteThatWasLost) {
  const auto before = data();
  write();
  EXPECT_EQ(wrong().count, 0);
  data() = before;
  EXPECT_EQ(wrong().count, mebibyte / block);
}

TEST_F(AreaOnDisk, KnowsABlockThatWasWrittenManyTimes) {
  for (int time = 0; time < 600; ++time) {
    const auto before = data();
    write();
    ASSERT_EQ(wrong().count, 0) << time;
    ASSERT_NE(data(), before) << time;
  }
}

TEST_F(AreaOnDisk, FindsABlockThatWentElsewhere) {
  std::ranges::copy(std::span(data()).subspan(7 * block, block), data().begin());
  EXPECT_EQ(wrong().count, 1);
}

TEST_F(AreaOnDisk, FindsZeros) {
  std::ranges::fill(data(), std::byte{0});
  EXPECT_EQ(wrong().count, mebibyte / block);
}

TEST_F(AreaOnDisk, SeesAtAGlanceWhatTheFirstBlockSays) {
  const auto first = std::span(data()).first(block);
  area().glance(first, mebibyte);
  EXPECT_EQ(area().wrong().count, 0);
  area().glance(first, 2 * mebibyte);
  EXPECT_EQ(area().wrong().count, 1);
}

TEST_F(AreaOnDisk, KnowsSmallBlocksAmongTheLargeOnes) {
  constexpr std::size_t piece = 300;
  std::vector<std::byte> small(block);
  area().fill(small, piece);
  area().prepare(small, mebibyte + 9 * block);
  area().wrote(small.size(), mebibyte + 9 * block, piece);
  EXPECT_EQ(wrong().count, 1) << "the old data";
  std::ranges::copy(small, data().begin() + 9 * block);
  EXPECT_EQ(wrong().count, 1) << "the new data is right";
  data()[9 * block + 100] ^= std::byte{1};
  EXPECT_EQ(wrong().count, 2);
}

// So that a file system that compresses or stores equal blocks once has no part in what is measured.
TEST_F(AreaOnDisk, HasNoTwoEqualBlocksAndLooksRandom) {
  std::set<std::string_view> blocks;
  std::vector<std::size_t> bytes(256);
  for (std::size_t at = 0; at < data().size(); at += block)
    blocks.emplace(reinterpret_cast<const char*>(data().data() + at), block);
  EXPECT_EQ(blocks.size(), mebibyte / block);
  constexpr double each = mebibyte / 256.0;
  for (const auto byte : data()) ++bytes[std::to_integer<std::size_t>(byte)];
  EXPECT_LT(*std::ranges::max_element(bytes), each * 1.2);
  EXPECT_GT(*std::ranges::min_element(bytes), each * 0.8);
}

}  // namespace
}  // namespace muster::benchmarks::disk
