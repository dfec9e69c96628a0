// SPDX-License-Identifier: Apache-2.0
#include "tests/support/alone.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace muster::tests {

void alone(const std::function<void()>& row) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    row();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the row failed in its own process";
}

}  // namespace muster::tests
