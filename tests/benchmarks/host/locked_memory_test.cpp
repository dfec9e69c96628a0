// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/locked_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>

#include "tests/support/alone.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::benchmarks::host {
namespace {

// What this process has mapped by now may grow by so much.
void leave_room(std::size_t bytes) {
  const auto statm = topology::Sysfs().text("proc/self/statm").value_or("");
  const rlim_t most = std::stoul(statm) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + bytes;
  const rlimit limit{.rlim_cur = most, .rlim_max = most};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}

TEST(LockableBytes, AreAPowerOfTwo) {
  const auto bytes = lockable_bytes();
  EXPECT_LE(bytes, std::size_t{1} << 30);
  EXPECT_EQ(bytes & (bytes - 1), 0U);
}

// As on a machine with 1 GiB.
TEST(LockableBytes, AreFewerWhereThereIsNoRoomForMore) {
  tests::alone([] {
    leave_room(std::size_t{300} << 20);
    EXPECT_LE(lockable_bytes(), std::size_t{256} << 20);
  });
}

}  // namespace
}  // namespace muster::benchmarks::host
