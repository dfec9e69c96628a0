// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/copies.hpp"

#include <endian.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string_view>

namespace muster::healthcheck::scratch {
namespace {

constexpr std::uint64_t kibibyte = 1024;
constexpr std::uint64_t mebibyte = 1024 * kibibyte;
constexpr std::uint64_t gibibyte = 1024 * mebibyte;
// A device that held no partition table, and the usual place of the first partition.
constexpr std::array<std::uint64_t, 2> beginnings = {0, mebibyte};

using Block = std::array<char, 512>;

template <typename Number>
Number number_at(const Block& block, std::size_t offset) {
  Number number{};
  std::memcpy(&number, block.data() + offset, sizeof number);
  return number;
}

bool has_at(const Block& block, std::size_t offset, std::string_view magic) {
  return std::string_view(block.data() + offset, magic.size()) == magic;
}

class Search {
 public:
  Search(const results::Descriptor& device, std::uint64_t bytes) : device_(device), bytes_(bytes) {}

  std::vector<Signature> found() {
    for (const auto begin : beginnings) {
      ext(begin);
      xfs(begin);
      btrfs(begin);
      luks(begin);
    }
    return std::move(found_);
  }

 private:
  void look(std::uint64_t at, std::string_view type, const std::function<bool(const Block&)>& is_copy) {
    Block block{};
    if (at + block.size() > bytes_ || !found_.empty()) return;  // one is enough
    if (read_at(device_, at, block) == block.size() && is_copy(block))
      found_.push_back({.text = fmt::format("a copy of a superblock ({}) at byte {}", type, at), .offset = at});
  }

  // Linux Documentation/filesystems/ext4: groups 1 and the powers of 3, 5 and 7 have one. A group has as many blocks as
  // a block has bits, or a few less than 65,536, as mke2fs makes it.
  void ext(std::uint64_t begin) {
    constexpr std::uint64_t max_blocks = 65528;
    for (std::uint64_t log = 0; log <= 6; ++log)
      for (const std::uint64_t group : {1U, 3U, 5U, 7U, 9U, 25U, 27U, 49U, 81U, 125U}) {
        const auto size = kibibyte << log;
        const auto at = begin + group * std::min(8 * size, max_blocks) * size + (log == 0 ? kibibyte : 0);
        look(at, "ext4", [&](const Block& block) {
          return le16toh(number_at<std::uint16_t>(block, 0x38)) == 0xef53 &&
                 le32toh(number_at<std::uint32_t>(block, 0x18)) == log &&
                 le16toh(number_at<std::uint16_t>(block, 0x5a)) == group;
        });
      }
  }

  // Each allocation group has one; all but the last are of one size, of which mkfs.xfs takes at most 1 TiB.
  void xfs(std::uint64_t begin) {
    constexpr std::uint64_t size = 4 * kibibyte;
    constexpr std::uint64_t max_groups = 512;
    constexpr std::uint64_t stripe = 64 * kibibyte;
    const auto blocks = (bytes_ - 2 * begin) / size;
    const auto is_copy = [](const Block& block) {
      const auto of = be32toh(number_at<std::uint32_t>(block, 4));
      return has_at(block, 0, "XFSB") && of >= block.size() && (of & (of - 1)) == 0;
    };
    for (std::uint64_t groups = 2; groups <= max_groups; ++groups)
      look(begin + (blocks + groups - 1) / groups * size, "xfs", is_copy);
    look(begin + 1024 * gibibyte - size, "xfs", is_copy);
    look(begin + 1024 * gibibyte, "xfs", is_copy);
    // Where the device asks for stripes, which are mostly of some 64 KiB to 1 MiB, groups begin with one near there.
    for (const std::uint64_t groups : {4U, 8U, 16U, 32U}) {
      const auto even = blocks * size / groups / stripe * stripe;
      for (auto at = even - std::min(even, mebibyte); at <= even + mebibyte; at += stripe)
        look(begin + at, "xfs", is_copy);
    }
  }

  // btrfs on-disk format: mirrors of the superblock at 64 MiB and 256 GiB.
  void btrfs(std::uint64_t begin) {
    for (const auto at : {64 * mebibyte, 256 * gibibyte})
      look(begin + at, "btrfs", [](const Block& block) { return has_at(block, 0x40, "_BHRfS_M"); });
  }

  // LUKS2 on-disk format: the second header is at 16 KiB, 32 KiB ... 4 MiB.
  void luks(std::uint64_t begin) {
    for (auto at = 16 * kibibyte; at <= 4 * mebibyte; at *= 2)
      look(begin + at, "crypto_LUKS", [](const Block& block) { return has_at(block, 0, "SKUL\xba\xbe"); });
  }

  const results::Descriptor& device_;
  std::uint64_t bytes_;
  std::vector<Signature> found_;
};

}  // namespace

std::vector<Signature> copies_of_superblocks(const results::Descriptor& device, std::uint64_t bytes) {
  return Search(device, bytes).found();
}

}  // namespace muster::healthcheck::scratch
