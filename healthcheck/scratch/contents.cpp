// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/contents.hpp"

#include <blkid/blkid.h>
#include <endian.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/raid/md_p.h>
#include <linux/types.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <numbers>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "benchmarks/handle.hpp"
#include "healthcheck/scratch/copies.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck::scratch {
namespace {

using Probe = benchmarks::Handle<std::remove_pointer_t<blkid_probe>, blkid_free_probe>;

constexpr std::uint64_t md_sector = 512;  // in which md counts
constexpr std::uint16_t first_role_that_is_none = 0xff00;
constexpr std::size_t block = std::size_t{64} << 10;

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

bool is_zero(const results::Descriptor& device, std::uint64_t begin, std::uint64_t end) {
  std::array<char, block> buffer{};
  for (auto at = begin; at < end; at += block) {
    const std::span part(buffer.data(), std::min<std::uint64_t>(block, end - at));
    if (read_at(device, at, part) != part.size()) throw std::runtime_error(fmt::format("ends before byte {}", end));
    if (std::ranges::any_of(part, [](char byte) { return byte != 0; })) return false;
  }
  return true;
}

// Of a device that holds data in a hundredth of its blocks one in 30,000 is missed. The places are the same at every
// look.
bool samples_are_zero(const results::Descriptor& device, std::uint64_t bytes) {
  constexpr int samples = 1024;
  constexpr std::uint64_t sample = 4096;
  const std::uint64_t blocks = bytes / sample;
  for (int number = 1; number <= samples; ++number) {
    const auto share = std::fmod(number * std::numbers::phi, 1.0);  // the multiples of this one lie evenly
    const auto at = static_cast<std::uint64_t>(share * static_cast<double>(blocks)) * sample;
    if (!is_zero(device, at, at + sample)) return false;
  }
  return true;
}

std::string value(const Probe& probe, const char* name) {
  const char* text = nullptr;
  return blkid_probe_lookup_value(probe.get(), name, &text, nullptr) == 0 ? std::string(text) : std::string();
}

std::string_view kind_of(std::string_view usage) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kinds = {
      {{"filesystem", "a file system"}, {"raid", "a part of an array or volume"}, {"crypto", "an encrypted volume"}}};
  const auto found = std::ranges::find(kinds, usage, &std::pair<std::string_view, std::string_view>::first);
  return found == kinds.end() ? "a signature" : found->second;
}

// What the last step of the probe found.
Signature found_by(const Probe& probe) {
  if (const auto table = value(probe, "PTTYPE"); !table.empty())
    return {.text = fmt::format("a partition table ({})", table),
            .offset = static_cast<std::uint64_t>(topology::whole_number(value(probe, "PTMAGIC_OFFSET")).value_or(0))};
  const auto type = value(probe, "TYPE");
  const auto label = value(probe, "LABEL");
  return {
      .text = fmt::format("{} ({}){}{}", kind_of(value(probe, "USAGE")), type, label.empty() ? "" : " named ", label),
      .offset = static_cast<std::uint64_t>(topology::whole_number(value(probe, "SBMAGIC_OFFSET")).value_or(0)),
      .is_own_filesystem = type == "ext4" && label == own_name};
}

// All that there are, as wipefs(8) finds them: also a partition table whose first copy is gone, and damaged ones.
std::vector<Signature> signatures(const results::Descriptor& device) {
  const Probe probe(blkid_new_probe());
  if (!probe || blkid_probe_set_device(probe.get(), device.number(), 0, 0) != 0)
    throw std::runtime_error("libblkid cannot look at it");
  blkid_probe_enable_superblocks(probe.get(), 1);
  blkid_probe_set_superblocks_flags(probe.get(), BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
                                                     BLKID_SUBLKS_LABEL | BLKID_SUBLKS_BADCSUM);
  blkid_probe_enable_partitions(probe.get(), 1);
  blkid_probe_set_partitions_flags(probe.get(), BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
  std::vector<Signature> found;
  int code = 0;
  while ((code = blkid_do_probe(probe.get())) == 0) found.push_back(found_by(probe));
  if (code < 0) throw std::runtime_error("libblkid cannot read what it holds");
  return found;
}

bool is_own(std::string_view name) {
  return name == own_name || name.ends_with(fmt::format(":{}", own_name));  // with the host's name before it
}

std::optional<Membership> membership(const results::Descriptor& device) {
  std::array<char, superblock_offset> bytes{};
  mdp_superblock_1 found{};
  if (read_at(device, superblock_offset, bytes) != bytes.size()) return std::nullopt;
  std::memcpy(&found, bytes.data(), sizeof found);
  const auto role_at = sizeof found + std::size_t{le32toh(found.dev_number)} * sizeof(__le16);
  if (le32toh(found.magic) != MD_SB_MAGIC || le32toh(found.major_version) != 1 || found.level != 0 ||
      !is_own({found.set_name, strnlen(found.set_name, sizeof found.set_name)}) ||
      role_at + sizeof(__le16) > bytes.size())
    return std::nullopt;
  __le16 role = 0;
  std::memcpy(&role, bytes.data() + role_at, sizeof role);
  if (le16toh(role) >= first_role_that_is_none) return std::nullopt;
  Membership own{.uuid = {},
                 .slot = le16toh(role),
                 .members = le32toh(found.raid_disks),
                 .data_begin = le64toh(found.data_offset) * md_sector,
                 .data_end = (le64toh(found.data_offset) + le64toh(found.data_size)) * md_sector};
  for (std::size_t at = 0; at < sizeof found.set_uuid; ++at)
    own.uuid += fmt::format("{}{:02x}", at > 0 && at % 4 == 0 ? ":" : "", found.set_uuid[at]);
  return own;
}

}  // namespace

std::size_t read_at(const results::Descriptor& device, std::uint64_t offset, std::span<char> into) {
  std::size_t all = 0;
  while (all < into.size()) {
    const auto got = pread(device.number(), into.data() + all, into.size() - all, static_cast<off_t>(offset + all));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(fmt::format("cannot be read at byte {}", offset + all));
    if (got == 0) break;
    all += static_cast<std::size_t>(got);
  }
  return all;
}

results::Descriptor opened(const std::filesystem::path& device, const std::optional<std::string>& number, int flags) {
  results::Descriptor file(open(device.c_str(), flags | O_CLOEXEC | O_NOFOLLOW));
  if (!file) fail(fmt::format("{} cannot be opened", device.string()));
  struct stat found {};
  if (number && (fstat(file.number(), &found) != 0 || !S_ISBLK(found.st_mode) ||
                 fmt::format("{}:{}", major(found.st_rdev), minor(found.st_rdev)) != *number))
    throw std::runtime_error(fmt::format("{} is not the block device {}", device.string(), *number));
  return file;
}

Contents contents_of(const results::Descriptor& device, std::uint64_t bytes, std::uint64_t ends) {
  try {
    if (bytes < 2 * ends) throw std::runtime_error(fmt::format("has only {} bytes", bytes));
    // What an array wrote to its members past this cache is not in it.
    posix_fadvise(device.number(), 0, 0, POSIX_FADV_DONTNEED);
    std::array<char, unfinished.size()> mark{};
    read_at(device, bytes - ends_of_array, mark);
    auto found = signatures(device);
    const bool is_unfinished = std::string_view(mark.data(), mark.size()) == unfinished;
    if (found.empty() && !is_unfinished) found = copies_of_superblocks(device, bytes);  // else they are of our own mkfs
    const bool is_blank = found.empty() && is_zero(device, 0, ends) && is_zero(device, bytes - ends, bytes) &&
                          samples_are_zero(device, bytes);
    return {.problem = {},
            .signatures = std::move(found),
            .membership = membership(device),
            .is_blank = is_blank,
            .is_unfinished = is_unfinished};
  } catch (const std::exception& error) {
    return {.problem = error.what()};
  }
}

void mark_unfinished(const results::Descriptor& device, std::uint64_t bytes, bool is_unfinished) {
  const std::string text = is_unfinished ? std::string(unfinished) : std::string(unfinished.size(), '\0');
  if (pwrite(device.number(), text.data(), text.size(), static_cast<off_t>(bytes - ends_of_array)) !=
          static_cast<ssize_t>(text.size()) ||
      fsync(device.number()) != 0)
    fail("the end of the array cannot be written");
}

}  // namespace muster::healthcheck::scratch
