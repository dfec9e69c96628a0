// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/job.hpp"

#include <gtest/gtest.h>

namespace muster::healthcheck {
namespace {

using benchmarks::Told;

TEST(WrongSize, OneRankIsNoJobUnlessItWasAskedFor) {
  EXPECT_EQ(wrong_size(1, {}), "one rank moves no data: start several with mpirun, or say --ranks 1");
  EXPECT_EQ(wrong_size(1, {.same = {}, .told_size = {}, .wanted_size = 1}), "");
  EXPECT_EQ(wrong_size(2, {}), "");
}

TEST(WrongSize, ALauncherThatStartedOthersIsNamed) {
  const Member member{.same = {}, .told_size = Told{"SLURM_STEP_NUM_TASKS", 16}, .wanted_size = {}};
  EXPECT_EQ(wrong_size(1, member),
            "SLURM_STEP_NUM_TASKS=16, but this program sees a job of 1: start it with the mpirun of the library it was "
            "built with");
  EXPECT_EQ(wrong_size(16, member), "");
}

TEST(WrongSize, IsHeldAgainstWhatWasWanted) {
  EXPECT_EQ(wrong_size(8, {.same = {}, .told_size = {}, .wanted_size = 16}), "--ranks wants 16, the job has 8");
}

TEST(OddOneOut, IsNamedWithItsHost) {
  EXPECT_EQ(odd_one_out("profile", {"a", "a", "b"}, {"one", "one", "two"}),
            "rank 2 on two has another profile than rank 0 on one: b instead of a");
  EXPECT_EQ(odd_one_out("topology file", {"a", ""}, {"one", "two"}),
            "rank 1 on two has another topology file than rank 0 on one: none instead of a");
  EXPECT_EQ(odd_one_out("profile", {"a", "a"}, {"one", "two"}), "");
}

}  // namespace
}  // namespace muster::healthcheck
