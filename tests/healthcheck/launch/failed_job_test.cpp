// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/failed_job.hpp"

#include <gtest/gtest.h>

#include <string>

namespace muster::healthcheck {
namespace {

using results::Outcome;
using Kind = ProcessExit::Kind;

const std::string killed = std::string(74, '-') +
                           "\nmpirun noticed that process rank 1 with PID 7 on node 192.0.2.2 exited on signal 9 "
                           "(Killed).\n" +
                           std::string(74, '-') + "\n";

results::CheckRun after(Outcome outcome, Kind kind, const std::string& said) {
  results::CheckRun run;
  run.check = "host_allreduce";
  run.outcome = outcome;
  run.reason = "did not end within 9 s";
  const ProcessExit ending{.kind = kind, .code = 137, .words = {}, .last_line = {}, .said = said};
  return with_words_of_launcher(
      run, ending, {.hosts = {"192.0.2.1", "192.0.2.2"}, .launched_from = "front", .ranks_follow_the_hosts = true});
}

TEST(FailedJob, HasCauseAndHostInItsReasonAndTheHostAsAFact) {
  const auto run = after(Outcome::error, Kind::exited, killed);
  EXPECT_TRUE(
      run.reason.starts_with("mpirun ended with 137 and no report came back from the job: a rank was killed on "
                             "192.0.2.2 ("))
      << run.reason;
  ASSERT_EQ(run.measurements.size(), 1U);
  EXPECT_EQ(run.measurements[0].metric, "host_allreduce.failed_host");
  EXPECT_EQ(run.measurements[0].labels, (results::Labels{{"host", "192.0.2.2"}}));
}

TEST(FailedJob, ThatMetItsDeadlineKeepsItsReasonAndTellsAKnownCause) {
  EXPECT_TRUE(after(Outcome::timed_out, Kind::timed_out, killed).reason.starts_with("did not end within 9 s; it said"));
  for (const auto* said : {"", "Welcome\n"}) {
    const auto run = after(Outcome::timed_out, Kind::timed_out, said);
    EXPECT_EQ(run.reason, "did not end within 9 s");
    EXPECT_TRUE(run.measurements.empty());
  }
}

TEST(FailedJob, ThatWaitedWithoutEndTellsItsCause) {
  const auto run = after(Outcome::error, Kind::hopeless, killed);
  EXPECT_TRUE(run.reason.starts_with("mpirun did not end by itself: a rank was killed on 192.0.2.2 (")) << run.reason;
  EXPECT_EQ(run.measurements.size(), 1U);
}

TEST(FailedJob, ThatWasToldToStopAccusesNobody) {
  EXPECT_TRUE(after(Outcome::interrupted, Kind::interrupted, killed).measurements.empty());
}

}  // namespace
}  // namespace muster::healthcheck
