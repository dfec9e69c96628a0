// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/copies.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/files.hpp"

namespace muster::healthcheck::scratch {
namespace {

constexpr std::uint64_t whole_bytes = std::uint64_t{2} << 30;

class Copies : public testing::Test {
 protected:
  Copies() {
    folder_.write("drive", "");
    std::filesystem::resize_file(file_, whole_bytes);
  }

  void put(std::uint64_t offset, std::string_view text) const {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file << text;
  }
  // As wipefs and dd do it in haste.
  void wipe_ends() const {
    const std::string zeros(ends_of_drive, '\0');
    put(0, zeros);
    put(whole_bytes - ends_of_drive, zeros);
  }
  Contents contents() const {
    return contents_of(results::Descriptor(open(file_.c_str(), O_RDONLY | O_CLOEXEC)), whole_bytes, ends_of_drive);
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "drive";
};

TEST_F(Copies, OfAnEmptyDriveAreNone) {
  EXPECT_TRUE(contents().is_blank);
  EXPECT_TRUE(contents().signatures.empty());
}

TEST_F(Copies, OfExt4ThatMkfsMadeAreFoundWhateverItsBlocks) {
  for (const auto* size : {"1024", "4096", "8192"}) {
    const auto command = fmt::format("yes | mkfs.ext4 -q -F -b {} '{}' >/dev/null 2>&1", size, file_.string());
    if (std::system(command.c_str()) != 0) GTEST_SKIP() << "there is no mkfs.ext4";
    EXPECT_EQ(contents().signatures.size(), 1U);
    wipe_ends();
    const auto left = contents();
    ASSERT_EQ(left.signatures.size(), 1U) << size;
    EXPECT_NE(left.signatures[0].text.find("a copy of a superblock (ext4)"), std::string::npos);
    EXPECT_FALSE(left.is_blank);
  }
}

TEST_F(Copies, OfAFileSystemThatMusterDidNotFinishAreItsOwn) {
  mark_unfinished(results::Descriptor(open(file_.c_str(), O_RDWR | O_CLOEXEC)), whole_bytes, true);
  put(64 * (std::uint64_t{1} << 20) + 0x40, "_BHRfS_M");
  EXPECT_TRUE(contents().signatures.empty());
  EXPECT_TRUE(contents().is_unfinished);
}

// By the descriptions of the formats, each where no other is.
TEST_F(Copies, OfOthersAreFoundWhereTheirFormatsHaveThem) {
  const auto kibibyte = std::uint64_t{1} << 10;
  const auto mebibyte = kibibyte << 10;
  const std::string of_xfs("XFSB\0\0\x10\0", 8);  // and blocks of 4096 whole_bytes, the greatest byte first
  for (const auto& [offset, magic, type] : {std::tuple(64 * mebibyte + 0x40, std::string("_BHRfS_M"), "btrfs"),
                                            {65 * mebibyte + 0x40, "_BHRfS_M", "btrfs"},
                                            {4 * mebibyte, "SKUL\xba\xbe", "crypto_LUKS"},
                                            {whole_bytes / 4, of_xfs, "xfs"},
                                            {whole_bytes / 8 - 256 * kibibyte, of_xfs, "xfs"},  // for stripes
                                            {whole_bytes / 16, of_xfs, "xfs"}}) {
    put(offset, magic);
    const auto found = contents().signatures;
    ASSERT_EQ(found.size(), 1U) << type;
    EXPECT_NE(found[0].text.find(type), std::string::npos) << found[0].text;
    put(offset, std::string(magic.size(), '\0'));
  }
}

}  // namespace
}  // namespace muster::healthcheck::scratch
