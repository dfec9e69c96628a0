// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/raw_drive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>

#include "benchmarks/disk/disk_error.hpp"
#include "benchmarks/error.hpp"

namespace muster::benchmarks::disk {

RawDrive::RawDrive(const std::filesystem::path& device, std::string_view number)
    : file_(open(device.c_str(), O_RDONLY | O_DIRECT | O_NOFOLLOW | O_CLOEXEC)) {
  if (!file_) throw_error(errno, fmt::format("cannot open {} to read it", device.string()));
  struct stat found {};
  if (fstat(file_.number(), &found) != 0 || !S_ISBLK(found.st_mode) ||
      fmt::format("{}:{}", major(found.st_rdev), minor(found.st_rdev)) != number)
    throw Error(fmt::format("{} is not the block device {}", device.string(), number));
  if (ioctl(file_.number(), BLKGETSIZE64, &bytes_) != 0 || bytes_ == 0)
    throw Error(fmt::format("{} has no bytes that could be read", device.string()));
}

}  // namespace muster::benchmarks::disk
