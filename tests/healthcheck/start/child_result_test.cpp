// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/child_result.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include "results/json/report_json.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Outcome;
using Kind = ProcessExit::Kind;

CheckRun running() {
  CheckRun run;
  run.check = "limits";
  run.host = "node-7";
  run.component = {{"gpu", "3"}};
  run.outcome = Outcome::running;
  run.started = "2026-11-21T02:50:10.123Z";
  run.duration_seconds = 4;
  return run;
}

class Merged : public testing::Test {
 protected:
  // A child's own report with one fact in it.
  void told(Outcome outcome, const std::string& check = "limits") const {
    results::Report report;
    report.version = "0.1.0";
    report.run_id = "0123456789abcdef";
    report.started = "2026-11-21T02:50:10.200Z";
    report.hosts = {{.name = "child", .fingerprint = {}}};
    report.profile = {.name = "generic", .sha256 = std::string(64, '0'), .chosen_by = "--profile"};
    CheckRun& run = report.checks.emplace_back();
    run.check = check;
    run.host = "child";
    run.outcome = outcome;
    run.phase = "locking";
    run.started = report.started;
    run.measurements = {{.metric = "limits.memlock",
                         .value = results::Quantity{1, results::Unit::byte},
                         .labels = {},
                         .summary = {},
                         .stopping = {},
                         .limit = {}}};
    results::write_report(report, folder_.path() / "report.json");
  }

  CheckRun after(Kind kind, int code, std::string words = "", bool by_budget = false,
                 std::string last_line = "") const {
    return run_of_child(
        running(),
        {.ending = {.kind = kind, .code = code, .words = std::move(words), .last_line = std::move(last_line)},
         .report = folder_.path() / "report.json",
         .limit_seconds = 20,
         .limited_by_budget = by_budget});
  }

  tests::TemporaryFolder folder_;
};

TEST_F(Merged, AJobThatSaysWhatBecameOfItIsBelievedHoweverMpirunEnds) {
  told(Outcome::crashed);
  EXPECT_EQ(after(Kind::exited, 137).outcome, Outcome::crashed);
  told(Outcome::timed_out);
  EXPECT_EQ(after(Kind::exited, 3).outcome, Outcome::timed_out);
  EXPECT_EQ(after(Kind::timed_out, 15, "futex_wait").reason, "");
}

TEST_F(Merged, TakesTheFactsAndTheOutcomeOfAChildThatExited) {
  for (const int code : {0, 1, 3, 77}) {
    told(Outcome::finished);
    const CheckRun run = after(Kind::exited, code);
    EXPECT_EQ(run.outcome, Outcome::finished);
    EXPECT_EQ(run.measurements.size(), 1U);
    EXPECT_EQ(run.host, "node-7");
    EXPECT_EQ(run.component, running().component);
    EXPECT_EQ(run.duration_seconds, 4);
    EXPECT_EQ(run.started, "2026-11-21T02:50:10.200Z");
  }
}

TEST_F(Merged, DoesNotBelieveAnExitWithoutAReport) {
  const CheckRun run = after(Kind::exited, 0, "", false, "last words");
  EXPECT_EQ(run.outcome, Outcome::error);
  EXPECT_EQ(run.check, "limits");
  EXPECT_EQ(run.reason, "exited with 0 and wrote no valid report: there is none; its last words: last words");
}

TEST_F(Merged, DoesNotBelieveGarbageNorTheReportOfAnotherCheck) {
  folder_.write("report.json", "garbage");
  EXPECT_EQ(after(Kind::exited, 0).outcome, Outcome::error);
  told(Outcome::finished, "inventory");
  const CheckRun run = after(Kind::exited, 0);
  EXPECT_EQ(run.outcome, Outcome::error);
  EXPECT_EQ(run.check, "limits");
  EXPECT_TRUE(run.measurements.empty());
}

TEST_F(Merged, DoesNotBelieveAChildThatExitedInTheMiddle) {
  for (const auto outcome : {Outcome::pending, Outcome::running}) {
    told(outcome);
    const CheckRun run = after(Kind::exited, 0);
    EXPECT_EQ(run.outcome, Outcome::error);
    EXPECT_EQ(run.reason, "exited with 0 before it finished");
    EXPECT_EQ(run.measurements.size(), 1U);
  }
}

TEST_F(Merged, DoesNotBelieveAReportBesideAStrangeExitCode) {
  told(Outcome::finished);
  EXPECT_EQ(after(Kind::exited, 9).outcome, Outcome::error);
  EXPECT_EQ(after(Kind::exited, 9).reason, "exited with 9, which no check does");
}

TEST_F(Merged, QuotesAChildThatRefusedItsOptions) {
  const CheckRun run = after(Kind::exited, 2, "", false, "muster-limits: no such profile");
  EXPECT_EQ(run.outcome, Outcome::error);
  EXPECT_EQ(run.reason, "refused its options; its last words: muster-limits: no such profile");
}

TEST_F(Merged, KeepsTheFactsOfACrashAndNamesSignalAndPhase) {
  told(Outcome::running);
  const CheckRun run = after(Kind::signalled, SIGSEGV);
  EXPECT_EQ(run.outcome, Outcome::crashed);
  EXPECT_EQ(run.reason, "killed by signal 11 (Segmentation fault) while: locking");
  EXPECT_EQ(run.measurements.size(), 1U);
}

TEST_F(Merged, NamesPhaseAndKernelFunctionOfAHang) {
  told(Outcome::running);
  const CheckRun run = after(Kind::timed_out, SIGTERM, "hrtimer_nanosleep");
  EXPECT_EQ(run.outcome, Outcome::timed_out);
  EXPECT_EQ(run.reason,
            "did not end within 20 s, hung in phase 'locking', waiting for another process, for input or for a time");
  EXPECT_EQ(run.kernel_function, "");
  const CheckRun of_device = after(Kind::timed_out, 0, "nvidia_close", true);
  EXPECT_EQ(of_device.reason,
            "did not end within 20 s, what was left of the budget, hung in phase 'locking' in kernel function "
            "nvidia_close; it could not be killed");
  EXPECT_EQ(of_device.kernel_function, "nvidia_close");
}

TEST_F(Merged, NamesNoKernelFunctionOfAChildThatOnlyWaited) {
  for (const auto* function :
       {"poll_schedule_timeout.constprop.0", "do_select", "ep_poll", "futex_wait_queue", "do_wait", "kernel_wait4",
        "hrtimer_nanosleep", "pipe_read", "anon_pipe_read", "wait_woken", "do_epoll_wait"})
    EXPECT_EQ(after(Kind::timed_out, SIGTERM, function).reason,
              "did not end within 20 s, hung, waiting for another process, for input or for a time");
}

TEST_F(Merged, NamesWhatKeptAChildFromStarting) {
  const CheckRun run = after(Kind::not_started, 0, "Exec format error");
  EXPECT_EQ(run.outcome, Outcome::not_started);
  EXPECT_EQ(run.reason, "could not be started: Exec format error");
}

TEST_F(Merged, SaysThatARunWasInterruptedOrItsGuardLost) {
  told(Outcome::running);
  EXPECT_EQ(after(Kind::interrupted, SIGTERM).outcome, Outcome::interrupted);
  EXPECT_EQ(after(Kind::lost, 0).outcome, Outcome::error);
  EXPECT_EQ(after(Kind::lost, 0).reason, "its guard was killed");
  EXPECT_EQ(after(Kind::lost, 0, "no memory").reason, "its guard failed: no memory");
}

}  // namespace
}  // namespace muster::healthcheck
