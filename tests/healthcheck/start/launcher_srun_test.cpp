// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "healthcheck/start/launcher_failure.hpp"

namespace muster::healthcheck {
namespace {

using Names = std::vector<std::string>;

std::string boxed(const std::string& text) {
  return std::string(74, '-') + "\n" + text + "\n" + std::string(74, '-') + "\n";
}

LauncherFailure srun_said(const std::string& said) {
  return why_launcher_failed(said, 1,
                             {.hosts = {"n1", "n2", "n3"}, .launched_from = "front", .ranks_follow_the_hosts = true});
}

TEST(FailureOfSrun, IsNobodysWhereTheControllerIsSilent) {
  EXPECT_EQ(
      srun_said("srun: error: Unable to allocate resources: Unable to contact slurm controller (connect failure)\n")
          .sentence,
      "Slurm's controller does not answer (srun: error: Unable to allocate resources: Unable to contact slurm "
      "controller (connect failure)); look at slurmctld (scontrol ping)");
}

// What follows a daemon that srun could not start, or that ended: srun ends the others, and mpirun has no cause.
const std::string after_a_failed_task =
    "srun: launch/slurm: _step_signal: Terminating StepId=1.0\n"
    "slurmstepd-n1: error: *** STEP 1.0 ON n1 CANCELLED AT 2026-11-30T04:17:41 ***\n"
    "(null): Forwarding signal 18 to job\n"
    "srun: error: n3: task 2: Exited with exit code 1\nsrun: error: n1: task 0: Killed\n" +
    boxed(
        "An ORTE daemon has unexpectedly failed after launch and before\ncommunicating back to mpirun. This could be "
        "caused by a number\nof factors.");
const std::string no_binding = "srun: cluster configuration lacks support for cpu binding\n";

TEST(FailureOfSrun, NamesTheNodeOnWhichSrunCouldNotStartADaemon) {
  for (const auto* writer : {"slurmstepd-n2", "slurmstepd"}) {
    const auto line = std::string(writer) + ": error: execve(): orted: No such file or directory";
    const auto failure =
        srun_said(no_binding + line + "\nsrun: error: n2: task 1: Exited with exit code 2\n" + after_a_failed_task);
    EXPECT_EQ(failure.sentence, "mpirun's daemon is not installed on n2 (" + line +
                                    "); install the same version of Open MPI there, in the same folder");
    EXPECT_EQ(failure.hosts, Names{"n2"});
  }
}

TEST(FailureOfSrun, NamesTheNodeWhoseDaemonEndedFirst) {
  const std::string library = "/usr/bin/orted: error while loading shared libraries: libopen-rte.so.40: file too short";
  const std::string ended = "srun: error: n2: task 1: Exited with exit code 127\n";
  EXPECT_EQ(srun_said(no_binding + ended + library + "\n" + after_a_failed_task).hosts, Names{"n2"});
  const auto failure = srun_said(no_binding + ended + after_a_failed_task);
  EXPECT_TRUE(failure.sentence.starts_with("mpirun's daemon did not start, or ended on n2; ")) << failure.sentence;
  EXPECT_EQ(srun_said("srun: error: n[2-3]: tasks 1-2: Exited with exit code 2\n" + after_a_failed_task).hosts,
            (Names{"n2", "n3"}));
  EXPECT_TRUE(srun_said(after_a_failed_task).hosts.empty());
}

TEST(FailureOfSrun, NamesTheNodeThatSlurmDoesNotReach) {
  const auto failure =
      srun_said(no_binding +
                "srun: error: Task launch for StepId=4.0 failed on node n2: Communication connection failure\n"
                "srun: error: Application launch failed: Communication connection failure\n"
                "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n" +
                boxed("ORTE has lost communication with a remote daemon.\n\n  HNP daemon   : [[1,0],0] on node front\n"
                      "  Remote daemon: [[1,0],1] on node n1\n\nThis is usually due to a failure of the network.") +
                after_a_failed_task);
  EXPECT_EQ(failure.hosts, Names{"n2"});
  EXPECT_TRUE(failure.sentence.starts_with("Slurm cannot start a program on n2 (")) << failure.sentence;
}

TEST(FailureOfSrun, ReadsAProgramThatSrunCouldNotStart) {
  const auto failure = srun_said("slurmstepd-n2: error: execve(): /opt/muster-clock: No such file or directory\n");
  EXPECT_EQ(failure.hosts, Names{"n2"});
  EXPECT_TRUE(failure.sentence.starts_with("the check cannot be executed on n2 (")) << failure.sentence;
}

}  // namespace
}  // namespace muster::healthcheck
