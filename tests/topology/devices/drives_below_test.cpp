// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/drives_below.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Below : public testing::Test {
 protected:
  Below() {
    device("9:0", "md0");
    device("9:1", "md0p1");
    device("259:4", "nvme3n1p2");
    device("253:0", "dm-0");
    tree_.write("sys/devices/dm-0/slaves/sda", "");
    std::filesystem::create_directories(tree_.path() / "sys/class/block");
    std::filesystem::create_directory_symlink("../../devices/dm-0", tree_.path() / "sys/class/block/dm-0");
    md("level", "raid0");
    md("chunk_size", "524288");
    member("nvme0n1", "1");
    member("nvme1n1", "0");
  }
  void device(const std::string& number, const std::string& name) {
    tree_.write("sys/devices/" + name + "/dev", number);
    std::filesystem::create_directories(tree_.path() / "sys/dev/block");
    std::filesystem::create_directory_symlink("../../devices/" + name, tree_.path() / "sys/dev/block" / number);
  }
  void md(const std::string& file, const std::string& text) { tree_.write("sys/block/md0/md/" + file, text + "\n"); }
  void member(const std::string& name, const std::string& slot) {
    md("dev-" + name + "/state", "in_sync");
    md("dev-" + name + "/slot", slot);
  }
  void write(const std::string& file, const std::string& text) { tree_.write(file, text); }
  std::optional<std::string> memory(const std::string& number) const {
    return memory_below(Sysfs(tree_.path()), number);
  }
  DrivesBelow below(const std::string& number) const { return drives_below(Sysfs(tree_.path()), number); }
  auto refusal(const std::string& number) const {
    return [this, number] { below(number); };
  }

 private:
  tests::TemporaryFolder tree_;
};

TEST_F(Below, IsMemoryWhereAFileOrRamAnswers) {
  for (const auto* name : {"zram0", "loop3", "loop3p1", "loop4"}) device(std::string("7:") + name, name);
  write("sys/block/loop3/loop/dio", "0\n");
  write("sys/block/loop4/loop/dio", "1\n");
  write("sys/devices/dm-0/slaves/loop3", "");
  EXPECT_EQ(memory("7:zram0"), "zram0");
  EXPECT_EQ(memory("7:loop3p1"), "loop3p1");
  EXPECT_EQ(memory("7:loop4"), std::nullopt);
  EXPECT_EQ(memory("253:0"), "loop3");
  EXPECT_EQ(memory("259:4"), std::nullopt);
  EXPECT_EQ(memory("1:1"), std::nullopt);
}

TEST_F(Below, AnArrayAreItsMembersBySlot) {
  const auto found = below("9:0");
  EXPECT_EQ(found.array, "md0");
  EXPECT_EQ(found.chunk_bytes, 524288);
  EXPECT_THAT(found.devices, ElementsAre("nvme1n1", "nvme0n1"));
}

TEST_F(Below, APartitionIsOneDrive) {
  const auto found = below("259:4");
  EXPECT_EQ(found.array, "");
  EXPECT_THAT(found.devices, ElementsAre("nvme3n1p2"));
}

TEST_F(Below, WhereNobodyCanTellIsRefused) {
  EXPECT_THAT(refusal("9:9"), ThrowsMessage<Error>(HasSubstr("no block device")));
  EXPECT_THAT(refusal("9:1"), ThrowsMessage<Error>(HasSubstr("a part of the array md0")));
  EXPECT_THAT(refusal("253:0"), ThrowsMessage<Error>(HasSubstr("lies on dm-0")));
  member("nvme1n1", "none");
  EXPECT_THAT(refusal("9:0"), ThrowsMessage<Error>(HasSubstr("lacks a member")));
  member("nvme1n1", "1");
  EXPECT_THAT(refusal("9:0"), ThrowsMessage<Error>(HasSubstr("lacks a member")));
  md("level", "raid5");
  EXPECT_THAT(refusal("9:0"), ThrowsMessage<Error>(HasSubstr("level raid5")));
}

}  // namespace
}  // namespace muster::topology
