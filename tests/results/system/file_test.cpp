// SPDX-License-Identifier: Apache-2.0
#include "results/system/file.hpp"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "results/system/error.hpp"
#include "tests/support/files.hpp"

namespace muster::results {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entries(const fs::path& folder) { return std::distance(fs::directory_iterator(folder), {}); }

// A file system of one page in memory, gone with its object.
class SmallDisk {
 public:
  explicit SmallDisk(fs::path folder)
      : folder_(std::move(folder)), mounted_(mount("none", folder_.c_str(), "tmpfs", 0, "size=64k") == 0) {}
  ~SmallDisk() {
    if (mounted_) umount(folder_.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  fs::path folder_;
  bool mounted_ = false;
};

TEST(File, IsWrittenAndReplacedAsAWhole) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "report.json";
  write_atomically(file, "first and longer");
  write_atomically(file, "second");
  EXPECT_EQ(read_text(file), "second");
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(File, MayBeEmptyOrHoldNulBytes) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "file";
  write_atomically(file, "");
  EXPECT_EQ(read_text(file), "");
  const std::string bytes("a\0b\n", 4);
  write_atomically(file, bytes);
  EXPECT_EQ(read_text(file), bytes);
}

TEST(File, NeedsNoFolderInItsName) {
  const tests::TemporaryFolder folder;
  const auto before = fs::current_path();
  fs::current_path(folder.path());
  write_atomically("report.json", "here");
  fs::current_path(before);
  EXPECT_EQ(read_text(folder.path() / "report.json"), "here");
}

// The permissions of a file that is written while these are kept from others.
fs::perms permissions(const fs::path& file, mode_t kept, void (*write)(const fs::path&, std::string_view)) {
  const mode_t before = umask(kept);
  write(file, "text");
  umask(before);
  return fs::status(file).permissions();
}

TEST(File, IsReadableForOthersAsTheUmaskSays) {
  const tests::TemporaryFolder folder;
  EXPECT_EQ(permissions(folder.path() / "report.json", 022, write_atomically), fs::perms(0644));
}

TEST(File, ThatIsPrivateIsNewAndOfThisUserAlone) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "key";
  EXPECT_EQ(permissions(file, 0, write_private), fs::perms(0600));
  EXPECT_THROW(write_private(file, "of somebody else"), Error);
  EXPECT_EQ(read_text(file), "text");
}

TEST(File, ThatIsAFolderOrADeviceIsRefused) {
  const tests::TemporaryFolder folder;
  const auto taken = folder.path() / "taken";
  fs::create_directory(taken);
  EXPECT_THROW(write_atomically(taken, "text"), Error);
  const auto device = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(device.c_str(), 0600), 0);
  EXPECT_THROW(write_atomically(device, "text"), Error);
  EXPECT_TRUE(fs::is_fifo(device));
  EXPECT_EQ(entries(folder.path()), 2);
  EXPECT_THROW(read_text(taken), Error);
}

TEST(File, InAMissingFolderNamesTheFolder) {
  const tests::TemporaryFolder folder;
  try {
    write_atomically(folder.path() / "none" / "report.json", "text");
    FAIL() << "it was written";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot open the folder " + (folder.path() / "none").string() + ": No such file or directory");
  }
}

TEST(File, OnAFullDiskStaysAsItWasAndLeavesNothingBehind) {
  const tests::TemporaryFolder folder;
  const SmallDisk disk(folder.path());
  if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small disk";
  const auto file = folder.path() / "report.json";
  write_atomically(file, "before");
  EXPECT_THROW(write_atomically(file, std::string(1 << 20, 'x')), Error);
  EXPECT_EQ(read_text(file), "before");
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(File, OnAReadOnlyDiskIsRefused) {
  const tests::TemporaryFolder folder;
  const SmallDisk disk(folder.path());
  if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small disk";
  ASSERT_EQ(mount("none", folder.path().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr), 0);
  EXPECT_THROW(write_atomically(folder.path() / "report.json", "text"), Error);
  EXPECT_EQ(entries(folder.path()), 0);
}

// Where a file and its folder have devices of two numbers, as in the root of a container.
TEST(File, OfAnOverlayIsReplacedAsAWhole) {
  const tests::TemporaryFolder lower;
  const tests::TemporaryFolder elsewhere;
  const SmallDisk disk(elsewhere.path());
  if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small disk";
  const auto upper = elsewhere.path() / "upper", work = elsewhere.path() / "work", place = elsewhere.path() / "place";
  for (const auto& folder : {upper, work, place}) fs::create_directory(folder);
  const auto options =
      "lowerdir=" + lower.path().string() + ",upperdir=" + upper.string() + ",workdir=" + work.string();
  if (mount("none", place.c_str(), "overlay", 0, options.c_str()) != 0) GTEST_SKIP() << "no overlay can be mounted";
  write_atomically(place / "report.json", "text");
  const bool is_so = is_mounted(place / "report.json");
  umount(place.c_str());
  EXPECT_FALSE(is_so);
}

TEST(File, MountedByItselfIsKnownAndWrittenInPlace) {
  const tests::TemporaryFolder folder;
  const tests::TemporaryFolder elsewhere;
  const SmallDisk disk(elsewhere.path());
  if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small disk";
  elsewhere.write("file", "longer than the next");
  const auto file = folder.path() / "termination-log";
  write_atomically(file, "");
  EXPECT_FALSE(is_mounted(file));
  ASSERT_EQ(mount((elsewhere.path() / "file").c_str(), file.c_str(), nullptr, MS_BIND, nullptr), 0);
  EXPECT_TRUE(is_mounted(file));
  EXPECT_THROW(write_atomically(file, "text"), Error);
  write_in_place(file, "text");
  EXPECT_EQ(read_text(file), "text");
  umount(file.c_str());
  EXPECT_THROW(write_in_place(folder.path() / "none", "text"), Error);
}

TEST(File, ThatIsMissingNamesItselfAndTheReason) {
  try {
    read_text("no-such-file");
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot read no-such-file: No such file or directory");
  }
}

TEST(File, HashesAreThePublishedOnes) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace muster::results
