// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/sysfs.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

namespace fs = std::filesystem;
using tests::TemporaryFolder;

// A tree and, beside it, a file that nothing in the tree may reach.
class SysfsTree : public testing::Test {
 protected:
  SysfsTree() {
    folder_.write("secret", "outside");
    folder_.write("tree/proc/number", "42\n");
  }

  void write(const fs::path& path, std::string_view text) { folder_.write("tree" / path, text); }
  void link(const fs::path& at, const fs::path& target) {
    const auto link = folder_.path() / "tree" / at;
    fs::create_directories(link.parent_path());
    fs::create_symlink(target, link);
  }
  Sysfs sysfs() const { return Sysfs(folder_.path() / "tree"); }

  TemporaryFolder folder_;
};

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(SysfsTree, RootWithoutSysAndProcIsAnErrorThatQuotesIt) {
  const TemporaryFolder empty;
  EXPECT_NE(message([&] { Sysfs sysfs(empty.path()); }).find(empty.path().string()), std::string::npos);
  EXPECT_THROW(Sysfs("no/such/folder"), Error);
  EXPECT_THROW(Sysfs(folder_.path() / "secret"), Error);
}

TEST_F(SysfsTree, RootWithOneOfThemIsEnough) {
  EXPECT_NO_THROW(sysfs());
  folder_.write("other/sys/kernel", "");
  EXPECT_NO_THROW(Sysfs(folder_.path() / "other"));
}

TEST_F(SysfsTree, OnlyTheSlashIsLiveHoweverItIsSpelled) {
  EXPECT_FALSE(sysfs().live());
  EXPECT_TRUE(Sysfs().live());
  EXPECT_TRUE(Sysfs("/usr/..").live());
}

TEST_F(SysfsTree, TextLosesItsTrailingWhiteSpaceOnly) {
  write("sys/a", "  Mellanox  ConnectX \n\n");
  EXPECT_EQ(sysfs().text("sys/a"), "  Mellanox  ConnectX");
  write("sys/blank", " \n");
  EXPECT_EQ(sysfs().text("sys/blank"), "");
}

TEST_F(SysfsTree, SettledBytesAreThoseAfterTheLockOfAWriter) {
  write("var/pool", "new");
  const auto file = folder_.path() / "tree/var/pool";
  const results::Descriptor writer(open(file.c_str(), O_RDWR | O_CLOEXEC));
  struct flock whole {};
  whole.l_type = F_WRLCK;
  ASSERT_EQ(fcntl(writer.number(), F_OFD_SETLK, &whole), 0);
  EXPECT_THROW(sysfs().settled_bytes("var/pool"), Error);
  whole.l_type = F_UNLCK;
  ASSERT_EQ(fcntl(writer.number(), F_OFD_SETLK, &whole), 0);
  EXPECT_EQ(sysfs().settled_bytes("var/pool"), "new");
  EXPECT_EQ(sysfs().settled_bytes("var/absent"), std::nullopt);
}

TEST_F(SysfsTree, BytesAreAsTheyAre) {
  const std::string bytes("a\0b\n \xff\n", 7);
  write("sys/b", bytes);
  EXPECT_EQ(sysfs().bytes("sys/b"), bytes);
}

TEST_F(SysfsTree, FilesLargerThanABlockAreReadWhole) {
  const std::string large(10000, 'x');
  write("sys/large", large);
  EXPECT_EQ(sysfs().text("sys/large"), large);
}

TEST_F(SysfsTree, AbsentFilesAndFoldersAreNothing) {
  EXPECT_EQ(sysfs().text("sys/none"), std::nullopt);
  EXPECT_EQ(sysfs().bytes("sys/none"), std::nullopt);
  EXPECT_EQ(sysfs().number("sys/none"), std::nullopt);
  EXPECT_TRUE(sysfs().list("sys/none").empty());
  EXPECT_FALSE(sysfs().exists("sys/none"));
  EXPECT_TRUE(sysfs().list("proc/number").empty()) << "a file holds no names";
}

TEST_F(SysfsTree, WhatCannotBeReadIsDamagedAndNotAbsent) {
  write("sys/locked/file", "text");
  const auto locked = folder_.path() / "tree/sys/locked";
  fs::permissions(folder_.path(), fs::perms(0755));
  fs::permissions(locked / "file", fs::perms::none);
  std::vector<std::string> told;
  const auto tree = sysfs().told_to([&](const Error& error) { told.emplace_back(error.what()); });
  EXPECT_EQ(tree.text("proc"), std::nullopt) << "a folder has no text";
  const bool root = geteuid() == 0;
  ASSERT_TRUE(!root || seteuid(65534) == 0);
  const auto text = tree.text("sys/locked/file");
  const auto bytes = tree.bytes("sys/locked/file");
  ASSERT_TRUE(!root || seteuid(0) == 0);
  fs::permissions(locked, fs::perms::none);
  ASSERT_TRUE(!root || seteuid(65534) == 0);
  const auto names = tree.list("sys/locked");
  ASSERT_TRUE(!root || seteuid(0) == 0);
  fs::permissions(locked, fs::perms::owner_all);
  EXPECT_EQ(text, std::nullopt);
  EXPECT_EQ(bytes, std::nullopt);
  EXPECT_TRUE(names.empty());
  EXPECT_EQ(told, (std::vector<std::string>{"proc: cannot be read: Is a directory",
                                            "sys/locked/file: cannot be read: Permission denied",
                                            "sys/locked/file: cannot be read: Permission denied",
                                            "sys/locked: cannot be read: Permission denied"}));
}

TEST_F(SysfsTree, WithoutAListenerWhatIsDamagedThrows) {
  const auto said = message([&] { sysfs().text("proc"); });
  EXPECT_EQ(said, "proc: cannot be read: Is a directory");
  EXPECT_EQ(sysfs().quiet().text("proc"), std::nullopt);
}

TEST_F(SysfsTree, NumbersAreDecimalOrHexadecimal) {
  write("sys/class", "0x030200\n");
  write("sys/numa_node", "-1\n");
  EXPECT_EQ(sysfs().number("proc/number"), 42);
  EXPECT_EQ(sysfs().number("sys/class"), 0x030200);
  EXPECT_EQ(sysfs().number("sys/numa_node"), -1);
}

TEST_F(SysfsTree, GarbageForANumberIsAnErrorThatQuotesPathAndText) {
  for (const auto* text : {"", "4x", "0x", "0xg", "1 2", "99999999999999999999", "0xffffffffffffffff", "+1", "--1"}) {
    write("sys/garbage", text);
    const auto said = message([&] { sysfs().number("sys/garbage"); });
    EXPECT_NE(said.find("sys/garbage"), std::string::npos) << text;
    EXPECT_NE(said.find("'" + std::string(text) + "'"), std::string::npos) << text;
  }
}

TEST_F(SysfsTree, ListIsSorted) {
  write("sys/devices/c", "");
  write("sys/devices/a", "");
  write("sys/devices/b/x", "");
  EXPECT_EQ(sysfs().list("sys/devices"), (std::vector<std::string>{"a", "b", "c"}));
}

TEST_F(SysfsTree, LinksAreFollowedInsideTheTree) {
  write("sys/devices/pci0001:00/0001:00:00.0/class", "0x030200");
  link("sys/bus/pci/devices/0001:00:00.0", "../../../devices/pci0001:00/0001:00:00.0");
  EXPECT_EQ(sysfs().text("sys/bus/pci/devices/0001:00:00.0/class"), "0x030200");
  EXPECT_EQ(sysfs().list("sys/bus/pci/devices/0001:00:00.0"), std::vector<std::string>{"class"});
  EXPECT_TRUE(sysfs().exists("sys/bus/pci/devices/0001:00:00.0"));
}

TEST_F(SysfsTree, LinksNeverLeadOutOfTheTree) {
  const auto secret = folder_.path() / "secret";
  link("sys/absolute", secret);
  link("sys/climbing", "../../secret");
  link("sys/folder", folder_.path());
  for (const auto* path : {"sys/absolute", "sys/climbing", "sys/folder/secret", "../secret", "sys/../../secret"}) {
    EXPECT_EQ(sysfs().text(path), std::nullopt) << path;
    EXPECT_FALSE(sysfs().exists(path)) << path;
  }
  EXPECT_EQ(sysfs().text(secret.string()), std::nullopt) << "an absolute path is one below the root too";
}

TEST_F(SysfsTree, AbsoluteLinksStartAtTheTreesRoot) {
  write("sys/target", "inside");
  link("sys/absolute", "/sys/target");
  EXPECT_EQ(sysfs().text("sys/absolute"), "inside");
}

TEST_F(SysfsTree, LinksInCirclesAreAbsent) {
  link("sys/one", "/sys/two");
  link("sys/two", "/sys/one");
  EXPECT_EQ(sysfs().text("sys/one"), std::nullopt);
  EXPECT_FALSE(sysfs().exists("sys/one"));
  EXPECT_TRUE(sysfs().path("sys/one").empty());
}

TEST_F(SysfsTree, LinkNameIsTheLastPartOfWhereItLeads) {
  link("sys/class/infiniband/mlx5_0/device", "../../../0101:00:00.0");
  EXPECT_EQ(sysfs().link_name("sys/class/infiniband/mlx5_0/device"), "0101:00:00.0");
  EXPECT_EQ(sysfs().link_name("proc/number"), std::nullopt);
  EXPECT_EQ(sysfs().link_name("sys/none"), std::nullopt);
}

TEST(SysfsLive, KernelFilesOfNoSizeAreReadWhole) {
  const Sysfs live;
  EXPECT_NE(live.text("proc/self/status").value_or("").find("Name:"), std::string::npos);
  EXPECT_GT(live.bytes("proc/self/status").value_or("").size(), 500U);
}

}  // namespace
}  // namespace muster::topology
