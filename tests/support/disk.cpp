// SPDX-License-Identifier: Apache-2.0
#include "tests/support/disk.hpp"

#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/error.hpp"
#include "topology/block_traffic.hpp"

namespace muster::tests {

std::string DiskFolder::why_no_disk() const {
  try {
    const benchmarks::OwnFile file(path(), 1);
    if (topology::block_traffic(topology::Sysfs(), benchmarks::device_number(path()))) return {};
    return "the build folder is on no block device";
  } catch (const benchmarks::Error& error) {
    return error.what();
  }
}

}  // namespace muster::tests
