// SPDX-License-Identifier: Apache-2.0
#include "tests/support/disk.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/error.hpp"
#include "topology/counters/block_traffic.hpp"

namespace muster::tests {

std::string DiskFolder::why_no_disk() const {
  try {
    const benchmarks::disk::OwnFile file(path(), 1);
    if (topology::block_traffic(topology::Sysfs(), device())) return {};
    return "the build folder is on no block device";
  } catch (const benchmarks::Error& error) {
    return error.what();
  }
}

std::string DiskFolder::device() const {
  struct stat status {};
  EXPECT_EQ(stat(path().c_str(), &status), 0);
  return fmt::format("{}:{}", major(status.st_dev), minor(status.st_dev));
}

}  // namespace muster::tests
