// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/uptime.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/files.hpp"

namespace muster::topology {
namespace {

std::optional<double> uptime_of(const std::string& text) {
  const tests::TemporaryFolder tree;
  tree.write("proc/uptime", text);
  return uptime_seconds(Sysfs(tree.path()).quiet());
}

TEST(Uptime, IsTheFirstNumberInSeconds) {
  EXPECT_EQ(uptime_of("350735.47 234388.90\n"), 350735.47);
  EXPECT_EQ(uptime_of("0.00 0.00\n"), 0);
}

TEST(Uptime, IsNothingWhereTheFileHoldsSomethingElse) {
  for (const auto* text : {"", "soon\n", "nan 1\n", "inf 1\n", "-5 1\n", "61.25garbage 1\n"})
    EXPECT_EQ(uptime_of(text), std::nullopt) << text;
}

}  // namespace
}  // namespace muster::topology
