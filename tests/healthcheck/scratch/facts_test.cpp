// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/facts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/raid/md_p.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "healthcheck/scratch/plan.hpp"
#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::healthcheck::scratch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t bytes = std::size_t{8} << 20;

// The captured NDv5 machine, with files in the place of its drives.
class ScratchFacts : public testing::Test {
 protected:
  ScratchFacts() {
    copy("sys/class/nvme");
    copy("sys/block");
    copy("proc/self");
    for (int number = 1; number <= 8; ++number) copy(fmt::format("sys/devices/pcic00{}:00", number));
    std::filesystem::rename(tree_.path() / "proc/self", tree_.path() / "proc/1");
    for (int number = 0; number < 8; ++number) add(fmt::format("nvme{}n1", number), fmt::format("259:{}", number));
  }

  void copy(const std::string& folder) const {
    std::filesystem::create_directories((tree_.path() / folder).parent_path());
    std::filesystem::copy(tests::source_folder() / "tests/machines/ndv5" / folder, tree_.path() / folder,
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
  }
  // A block device: its file, its size and its number, by which mounts have it.
  void add(const std::string& name, const std::string& number) {
    write("dev/" + name, "");
    std::filesystem::resize_file(tree_.path() / "dev" / name, bytes);
    write("sys/block/" + name + "/size", std::to_string(bytes / 512) + "\n");
    write("sys/block/" + name + "/dev", number + "\n");
    link(number, name, "../../block/" + name);
  }
  void link(const std::string& number, const std::string& name, const std::string& target) {
    for (const auto& place : {"sys/dev/block/" + number, "sys/class/block/" + name}) {
      const auto path = tree_.path() / place;
      std::filesystem::create_directories(path.parent_path());
      std::filesystem::create_directory_symlink(target, path);
    }
  }
  void write(const std::string& file, std::string_view text) const { tree_.write(file, text); }
  void append(const std::string& file, const std::string& text) const {
    std::ofstream(tree_.path() / file, std::ios::app) << text;
  }
  void put(const std::string& name, std::size_t offset, std::string_view text) const {
    std::fstream file(tree_.path() / "dev" / name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file << text;
  }
  // Of a drive of an array of that name.
  void put_superblock(const std::string& name, std::string_view array, std::uint32_t level = 0) const {
    std::string block(4096, '\0');
    mdp_superblock_1 made{};
    made.magic = MD_SB_MAGIC;
    made.major_version = 1;
    made.level = level;
    made.raid_disks = 8;
    made.data_offset = 2048;
    made.data_size = 14336;
    made.super_offset = 8;
    made.dev_number = 1;
    made.max_dev = 2;
    std::memcpy(made.set_name, array.data(), array.size());
    for (std::size_t at = 0; at < sizeof made.set_uuid; ++at) made.set_uuid[at] = static_cast<__u8>(at * 17);
    std::memcpy(block.data(), &made, sizeof made);
    block[sizeof made + 2] = 3;  // its role
    put(name, superblock_offset, block);
  }

  Facts facts() const { return facts_of(topology::Sysfs(tree_.path()), wishes_); }
  Drive drive() const { return facts().drives.at(0); }
  Array array() const {
    const auto found = facts().arrays;
    EXPECT_EQ(found.size(), 1U);
    return found.at(0);
  }

  tests::TemporaryFolder tree_;
  Wishes wishes_{.mount_at = "/mnt/scratch"};
};

TEST_F(ScratchFacts, OfTheCapturedMachineAreEightEmptyDrives) {
  const auto found = facts();
  ASSERT_EQ(found.drives.size(), 8U);
  EXPECT_TRUE(found.arrays.empty());
  EXPECT_EQ(found.mounted, "");
  for (const auto& drive : found.drives)
    EXPECT_EQ(drive, (Drive{.name = drive.name,
                            .number = drive.number,
                            .model = "Microsoft NVMe Direct Disk v2",
                            .serial = drive.serial,
                            .bytes = bytes,
                            .is_of_model = true,
                            .contents = {.is_blank = true}}));
  EXPECT_EQ(plan(found, wishes_).action, Action::create);
}

TEST_F(ScratchFacts, OfAnotherModelAreNoMoreThanThat) {
  write("sys/class/nvme/nvme0/model", "MSFT NVMe Accelerator v1.0\n");
  std::filesystem::remove(tree_.path() / "dev/nvme0n1");
  EXPECT_FALSE(drive().is_of_model);
  EXPECT_EQ(drive().contents, Contents{});
  wishes_.model = "MSFT*";
  EXPECT_TRUE(drive().is_of_model);
  EXPECT_THAT(drive().contents.problem, HasSubstr("cannot be opened: No such file"));
}

TEST_F(ScratchFacts, OfTwoPathsToOneDriveNameEachOther) {
  write("sys/block/nvme0n1/wwid", "eui.0025385b71b0a1f2\n");
  write("sys/block/nvme5n1/wwid", "eui.0025385b71b0a1f2\n");
  write("sys/block/nvme6n1/wwid", "eui.0025385b71b0a1f3\n");
  const auto found = facts();
  EXPECT_EQ(found.drives.at(0).other_path, "nvme5n1");
  EXPECT_EQ(found.drives.at(5).other_path, "nvme0n1");
  EXPECT_EQ(found.drives.at(6).other_path, "");
  for (const auto& choice : plan(found, wishes_).drives) {
    const bool has_two = choice.name == "nvme0n1" || choice.name == "nvme5n1";
    EXPECT_EQ(choice.decision, has_two ? Decision::refuse : Decision::take) << choice.name;
  }
}

TEST_F(ScratchFacts, OfTwoPathsByTheirSubsystemNameEachOther) {
  for (const auto* name : {"nvme0", "nvme5"})
    write(fmt::format("sys/class/nvme/{}/subsysnqn", name), "nqn.2014.08.org.nvmexpress:1\n");
  EXPECT_EQ(facts().drives.at(0).other_path, "nvme5n1");
  EXPECT_EQ(facts().drives.at(5).other_path, "nvme0n1");
  EXPECT_EQ(facts().drives.at(6).other_path, "");
}

TEST_F(ScratchFacts, OfADriveWithTwoControllersAreThoseOfOne) {
  std::filesystem::create_directory_symlink("../../class/nvme/nvme1", tree_.path() / "sys/class/nvme/nvme1/nvme0c1n1");
  EXPECT_EQ(facts().drives.size(), 8U);
}

TEST_F(ScratchFacts, OfTheKernel) {
  write("sys/block/nvme0n1/ro", "1\n");
  write("sys/block/nvme0n1/holders/dm-0/x", "");
  write("sys/block/nvme0n1/nvme0n1p1/partition", "1\n");
  link("259:9", "nvme0n1p1", "../../block/nvme0n1/nvme0n1p1");
  append("proc/1/mountinfo",
         "99 30 259:9 / /data rw - ext4 /dev/nvme0n1p1 rw\n40 30 0:44 / /mnt/scratch rw - tmpfs t rw\n");
  write("proc/swaps", "Filename Type Size Used Priority\n/dev/nvme0n1 partition 8 0 -2\n/swap.img file 8 0 -3\n");
  const auto found = drive();
  EXPECT_TRUE(found.is_read_only);
  EXPECT_TRUE(found.is_swap);
  EXPECT_THAT(found.partitions, ElementsAre("nvme0n1p1"));
  EXPECT_THAT(found.holders, ElementsAre("dm-0"));
  EXPECT_THAT(found.mounts, ElementsAre("/data"));
  EXPECT_EQ(facts().mounted, "t");
  EXPECT_FALSE(facts().drives.at(1).is_swap);
}

TEST_F(ScratchFacts, AreNoneWhereMountsAreNotKnown) {
  std::filesystem::remove(tree_.path() / "proc/1/mountinfo");
  EXPECT_THAT([this] { facts(); },
              ThrowsMessage<topology::Error>(HasSubstr("proc/1/mountinfo: is not in this captured tree")));
}

TEST_F(ScratchFacts, HaveEverySignature) {
  put("nvme0n1", 0, std::string_view("LUKS\xba\xbe\0\1", 8));
  put("nvme0n1", 512, std::string("LABELONE\1\0\0\0\0\0\0\0____\x20\0\0\0LVM2 001", 32));  // its checksum is wrong
  std::set<std::string> texts;
  for (const auto& signature : drive().contents.signatures) texts.insert(signature.text);
  EXPECT_THAT(texts, ElementsAre("a part of an array or volume (LVM2_member)", "an encrypted volume (crypto_LUKS)"));
  EXPECT_FALSE(drive().contents.is_blank);
}

TEST_F(ScratchFacts, AreNotBlankWithAByteAtEitherEnd) {
  for (const auto offset : {std::size_t{0}, std::size_t{ends_of_drive - 1}, bytes - ends_of_drive, bytes - 1}) {
    put("nvme0n1", offset, "x");
    EXPECT_FALSE(drive().contents.is_blank) << offset;
    put("nvme0n1", offset, std::string(1, '\0'));
    EXPECT_TRUE(drive().contents.is_blank) << offset;
  }
}

TEST_F(ScratchFacts, AreNotBlankWithDataInTheMiddle) {
  put("nvme0n1", bytes / 2, std::string(bytes / 100, 'x'));
  EXPECT_FALSE(drive().contents.is_blank);
  EXPECT_EQ(plan(facts(), wishes_).drives[0].decision, Decision::refuse);
}

TEST_F(ScratchFacts, AreUnknownOfADriveThatIsShort) {
  std::filesystem::resize_file(tree_.path() / "dev/nvme0n1", bytes - 512);
  EXPECT_THAT(drive().contents.problem, HasSubstr("ends before byte"));
  write("sys/block/nvme0n1/size", "0\n");
  EXPECT_THAT(drive().contents.problem, HasSubstr("has only 0 bytes"));
}

TEST_F(ScratchFacts, KnowAMemberOfAnArrayOfMuster) {
  for (const auto* name : {"muster-scratch", "any:muster-scratch"}) {
    put_superblock("nvme0n1", name);
    EXPECT_EQ(drive().contents.membership, (Membership{.uuid = "00112233:44556677:8899aabb:ccddeeff",
                                                       .slot = 3,
                                                       .members = 8,
                                                       .data_begin = data_offset,
                                                       .data_end = 8 * data_offset}));
    ASSERT_EQ(drive().contents.signatures.size(), 1U);
    EXPECT_EQ(drive().contents.signatures[0].offset, superblock_offset);
  }
}

TEST_F(ScratchFacts, KnowNoOtherArrayForOne) {
  for (const auto* name : {"muster-scratch2", "my-muster-scratch", "host:data", ""}) {
    put_superblock("nvme0n1", name);
    EXPECT_EQ(drive().contents.membership, std::nullopt) << name;
    EXPECT_THAT(plan(facts(), wishes_).drives[0].reason, HasSubstr("(linux_raid_member)")) << name;
  }
  put_superblock("nvme0n1", "muster-scratch", 1);
  EXPECT_EQ(drive().contents.membership, std::nullopt);
}

TEST_F(ScratchFacts, OfAnArrayAreThoseThatTheKernelHas) {
  add("md127", "9:127");
  write("sys/block/md127/md/level", "raid0\n");
  write("sys/block/md127/md/array_state", "clean\n");
  write("sys/block/md127/md/dev-nvme0n1/state", "in_sync\n");
  EXPECT_EQ(
      array(),
      (Array{.name = "md127", .number = "9:127", .bytes = bytes, .is_running = true, .contents = {.is_blank = true}}));
  for (const auto* state : {"inactive", "broken"}) {
    write("sys/block/md127/md/array_state", state);
    EXPECT_FALSE(array().is_running) << state;
  }
  write("sys/block/md127/md/array_state", "clean\n");
  append("proc/1/mountinfo", "99 30 9:127 / /mnt/scratch rw - ext4 /dev/md127 rw\n");
  EXPECT_THAT(array().mounts, ElementsAre("/mnt/scratch"));
  EXPECT_EQ(array().contents, Contents{});
  EXPECT_EQ(facts().mounted, "md127");
}

TEST_F(ScratchFacts, SayWhichArrayWasNotFinished) {
  const topology::Sysfs sysfs(tree_.path());
  for (const bool is_so : {true, false}) {
    mark_unfinished(opened(sysfs, "nvme0n1", O_RDWR), bytes, is_so);
    EXPECT_EQ(drive().contents.is_unfinished, is_so);
    EXPECT_EQ(drive().contents.is_blank, !is_so);
  }
}

TEST_F(ScratchFacts, AreNotThoseOfAnotherDevice) {
  EXPECT_THAT([this] { opened(tree_.path() / "dev/nvme0n1", "259:0", O_RDONLY); },
              ThrowsMessage<std::runtime_error>(HasSubstr("is not the block device 259:0")));
}

}  // namespace
}  // namespace muster::healthcheck::scratch
