// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/words.hpp"

#include <gtest/gtest.h>

#include "healthcheck/node/progress.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

TEST(LastLine, IsTheLastThatIsNotBlank) {
  const tests::TemporaryFolder folder;
  folder.write("output", "first\nlast  \n\n \n");
  EXPECT_EQ(last_line(folder.path() / "output"), "last");
  folder.write("output", "first\n\033[1m\xff" + std::string(1000, 'x'));
  EXPECT_EQ(last_line(folder.path() / "output"), " [1m?" + std::string(292, 'x') + "...");
  folder.write("output", "only");
  EXPECT_EQ(last_line(folder.path() / "output"), "only");
  folder.write("output", "\n\n");
  EXPECT_EQ(last_line(folder.path() / "output"), "");
  EXPECT_EQ(last_line(folder.path() / "absent"), "");
  folder.write("output", std::string(100000, '\n') + "end\n");
  EXPECT_EQ(last_line(folder.path() / "output"), "end");
}

TEST(StatusLine, NamesWhatRunsAndHowMuchIsDone) {
  EXPECT_EQ(status_line({{.name = "host_memory", .seconds = 3.21}, {.name = "limits", .seconds = 0.1}}, 1, 3),
            "host_memory 3.2 s, limits 0.1 s | 1 of 3 done");
  EXPECT_EQ(status_line({}, 3, 3), "3 of 3 done");
}

}  // namespace
}  // namespace muster::healthcheck
