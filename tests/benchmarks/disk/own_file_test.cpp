// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/own_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "benchmarks/error.hpp"
#include "results/system/descriptor.hpp"
#include "tests/support/disk.hpp"

namespace muster::benchmarks::disk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

using tests::mebibyte;

class OwnFileOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = folder_.why_no_disk(); !why.empty()) GTEST_SKIP() << why;
  }
  const fs::path& path() const { return folder_.path(); }
  void write(const std::string& name, std::string_view text) const { folder_.write(name, text); }

 private:
  tests::DiskFolder folder_;
};

TEST_F(OwnFileOnDisk, HasNoNameAndTheRoomThatWasAskedFor) {
  const OwnFile file(path(), 8 * mebibyte);
  EXPECT_TRUE(fs::is_empty(path()));
  struct stat status {};
  ASSERT_EQ(fstat(file.number(), &status), 0);
  EXPECT_EQ(status.st_nlink, 0);
  EXPECT_GE(static_cast<std::uint64_t>(status.st_blocks) * 512, 8 * mebibyte);
}

TEST_F(OwnFileOnDisk, GoesPastThePageCache) {
  const OwnFile file(path(), mebibyte);
  EXPECT_NE(fcntl(file.number(), F_GETFL) & O_DIRECT, 0);
}

TEST_F(OwnFileOnDisk, DoesNotFitWhereThereIsNoRoom) {
  EXPECT_THAT([&] { const OwnFile file(path(), room(path()).bytes * 2); },
              ThrowsMessage<Error>(HasSubstr("does not fit into " + path().string())));
  EXPECT_TRUE(fs::is_empty(path()));
}

TEST(OwnFile, NeedsAFolder) {
  EXPECT_THAT([] { const OwnFile file("/no such folder", mebibyte); },
              ThrowsMessage<Error>(HasSubstr("/no such folder: No such file or directory")));
}

TEST(OwnFile, NeedsAFolderThatCanBeWritten) {
  EXPECT_THAT([] { const OwnFile file("/proc/self", mebibyte); },
              ThrowsMessage<Error>(HasSubstr("cannot create a file in /proc/self: ")));
}

// What a killed run leaves is seen by tests/rigs/disk_io_test.py; here is which files are taken for it.
class StaleFile : public OwnFileOnDisk {
 protected:
  // One as it is left, or one that says that it is another.
  fs::path leave(const std::string& name, const std::string& made_as, ino_t inode_more = 0) const {
    write(name, "");
    struct stat status {};
    stat((path() / name).c_str(), &status);
    std::string header =
        fmt::format("muster measures this disk; inode {}, made as {}; it may be deleted when no muster runs\n",
                    status.st_ino + inode_more, made_as);
    header.resize(4096);
    write(name, header);
    return path() / name;
  }
};

TEST_F(StaleFile, IsRemovedWhenNobodyHoldsIt) {
  const auto stale = leave(".muster-disk-0123456789abcdef", ".muster-disk-0123456789abcdef");
  {
    const results::Descriptor held(open(stale.c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(flock(held.number(), LOCK_EX), 0);
    EXPECT_EQ(remove_stale_files(path()), 0);
  }
  EXPECT_EQ(remove_stale_files(path()), 1);
  EXPECT_TRUE(fs::is_empty(path()));
}

TEST_F(StaleFile, IsNoFileOfOthersWhateverItsNameOrItsCopyOfAHeader) {
  write(".muster-disk-0123456789abcdef", "my data");
  write(".muster-disk-", "");
  fs::create_directory(path() / ".muster-disk-folder");
  fs::create_symlink("/etc/passwd", path() / ".muster-disk-link");
  leave(".muster-disk-copy", ".muster-disk-original");
  leave(".muster-disk-restored", ".muster-disk-restored", 1);
  leave("my file", "my file");
  EXPECT_EQ(remove_stale_files(path()), 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(path()), {}), 7);
}

TEST(Room, IsThatOfTheFileSystem) {
  EXPECT_GT(room("/").bytes, room("/").available);
  EXPECT_THAT([] { room("/no such folder"); }, ThrowsMessage<Error>(HasSubstr("/no such folder")));
}

}  // namespace
}  // namespace muster::benchmarks::disk
