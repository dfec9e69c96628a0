// SPDX-License-Identifier: Apache-2.0
#include "topology/counters/block_traffic.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

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

// Linux 6.1: the device that joins the paths counts nothing.
class BlockTrafficOfPaths : public testing::Test {
 protected:
  BlockTrafficOfPaths() {
    const std::string subsystem = "sys/devices/virtual/nvme-subsystem/nvme-subsys1/";
    write(subsystem + "nvme1n1/stat", 0);
    write(subsystem + "nvme1n1/nvme1n1p1/stat", 0);
    tree_.write(subsystem + "nvme1n1/nvme1n1p1/partition", "1\n");
    for (const std::string controller : {"nvme0", "nvme1"}) {
      const auto folder = "sys/devices/pci/" + controller + "/";
      const auto path = "nvme1c" + controller.substr(4);
      write(folder + path + "n1/stat", 3);
      write(folder + path + "n11/stat", 100);  // to another namespace
      link("../../../pci/" + controller, subsystem + controller);
    }
    link("../../nvme-subsys1", subsystem + "nvme1n1/device");
    std::filesystem::create_directories(tree_.path() / "sys/dev/block");
    link("../../devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1", "sys/dev/block/259:2");
    link("../../devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1/nvme1n1p1", "sys/dev/block/259:3");
  }
  void write(const std::string& file, int sectors) const {
    tree_.write(file, fmt::format("1 0 {} 0 1 0 {} 0 0 0 0\n", sectors, 2 * sectors));
  }
  void link(const std::string& target, const std::string& place) const {
    std::filesystem::create_directory_symlink(target, tree_.path() / place);
  }
  BlockTraffic traffic(std::string_view number) const { return block_traffic(Sysfs(tree_.path()), number).value(); }

  tests::TemporaryFolder tree_;
};

TEST_F(BlockTrafficOfPaths, IsThatOfAllOfThem) {
  for (const auto* number : {"259:2", "259:3"}) {
    EXPECT_EQ(traffic(number).read_bytes, 2 * 3 * 512) << number;
    EXPECT_EQ(traffic(number).written_bytes, 2 * 6 * 512) << number;
  }
}

TEST_F(BlockTrafficOfPaths, IsThatOfTheDeviceWhereTheKernelCountsThere) {
  write("sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1/stat", 5);
  EXPECT_EQ(traffic("259:2").read_bytes, 5 * 512);
}

}  // namespace
}  // namespace muster::topology
