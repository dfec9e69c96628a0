// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/disk_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace muster::benchmarks::disk {
namespace {

// What the kernel's block layer makes of a drive's answer (block/blk-core.c, blk_errors), and of one that is gone.
constexpr std::array of_disks = {EIO, ENXIO, ENODEV, ENOMEDIUM, ENODATA, EBADE, EILSEQ, EREMOTEIO, ETIMEDOUT, ENOLINK};

}  // namespace

void throw_error(int number, const std::string& what) {
  const auto words = fmt::format("{}: {}", what, std::generic_category().message(number));
  if (std::ranges::find(of_disks, number) != of_disks.end()) throw DiskError(words);
  throw Error(words);
}

void throw_transfer_error(int number, const std::string& what) {
  if (number == EROFS) throw DiskError(what + ": the file system has become read-only, as after an error of its disk");
  throw_error(number, what);
}

}  // namespace muster::benchmarks::disk
