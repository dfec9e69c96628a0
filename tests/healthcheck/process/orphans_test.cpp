// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/orphans.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace muster::healthcheck {
namespace {

topology::Process process(int pid, int parent, char state = 'S') {
  return {.pid = pid, .parent = parent, .state = state, .name = "x", .cpu_seconds = 0};
}

TEST(Strays, AreOwnDescendantsOutsideTheSparedFamilies) {
  const std::vector<topology::Process> all{process(1, 0),   process(10, 1),  process(20, 10),      process(21, 20),
                                           process(30, 10), process(31, 30), process(40, 10, 'Z'), process(50, 1)};
  auto found = orphans(all, 10, {20});
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<pid_t>{30, 31}));
}

}  // namespace
}  // namespace muster::healthcheck
