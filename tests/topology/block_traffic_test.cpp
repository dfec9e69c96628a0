// SPDX-License-Identifier: Apache-2.0
#include "topology/block_traffic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "topology/error.hpp"

namespace muster::topology {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(BlockTraffic, IsInSectorsOf512Bytes) {
  const auto traffic =
      block_traffic("  75354 11595 3619970 34872 30044 20844 4727728 13733 0 8172 49414 8766 13 654184 663 4334 144");
  EXPECT_EQ(traffic.read_bytes, 3619970 * 512);
  EXPECT_EQ(traffic.written_bytes, 4727728LL * 512);
}

TEST(BlockTraffic, OfOldKernelsHasFewerFields) {
  EXPECT_EQ(block_traffic("1 2 3 4 5 6 7 8 9 10 11").written_bytes, 7 * 512);
}

TEST(BlockTraffic, SaysWhatItCannotRead) {
  for (const auto* text : {"", "1 2 3", "1 2 x 4 5 6 7 8 9 10 11"})
    EXPECT_THAT([&] { block_traffic(text); }, ThrowsMessage<Error>(HasSubstr("are not the counts of a block device")));
}

TEST(BlockTraffic, IsThatOfTheDeviceWithThisNumber) {
  const tests::TemporaryFolder tree;
  tree.write("sys/dev/block/259:1/stat", "1 2 3 4 5 6 7 8 9 10 11\n");
  tree.write("sys/dev/block/259:2/stat", "?\n");
  const Sysfs sysfs(tree.path());
  EXPECT_EQ(block_traffic(sysfs, "259:1")->read_bytes, 3 * 512);
  EXPECT_FALSE(block_traffic(sysfs, "0:21"));
  EXPECT_THAT([&] { block_traffic(sysfs, "259:2"); }, ThrowsMessage<Error>(HasSubstr("sys/dev/block/259:2/stat")));
}

}  // namespace
}  // namespace muster::topology
