// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/launcher_failure.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "healthcheck/start/launcher_causes.hpp"

namespace muster::healthcheck {
namespace {

using Names = std::vector<std::string>;

const std::string rule = std::string(74, '-') + "\n";

std::string block(const std::string& text) { return rule + text + "\n" + rule; }

LaunchedJob on_three_hosts() {
  return {.hosts = {"n1", "n2", "n3"},
          .ranks_on_each = 2,
          .launched_from = "front",
          .binds_ranks = false,
          .ranks_follow_the_hosts = true};
}

LauncherFailure of(const std::string& said, const LaunchedJob& job = on_three_hosts()) {
  return why_launcher_failed(said, 1, job);
}

// What Open MPI 4 says after any daemon that did not start. Its last block names a host without guilt.
const std::string after_a_missing_daemon =
    block("ORTE was unable to reliably start one or more daemons.\nThis usually is caused by:\n\n* many things") +
    block("ORTE does not know how to route a message\n\n  my node:   front\n  target node:  n1\n\nWe apologize.") +
    "[front:7] 1 more process has sent help message help-errmgr-base.txt / no-path\n";

TEST(LauncherFailure, NamesTheHostOfADaemonThatIsMissing) {
  for (const auto* line : {"bash: line 1: /usr/bin/orted: No such file or directory", "sh: 1: orted: not found",
                           "bash: orted: command not found", "zsh:1: command not found: orted"}) {
    const auto failure = of(line + std::string("\nmuster: ssh to n2 ended with 127\n") + after_a_missing_daemon);
    EXPECT_EQ(failure.sentence, "mpirun's daemon is not installed on n2 (" + std::string(line) +
                                    "); install the same version of Open MPI there, in the same folder");
    EXPECT_EQ(failure.hosts, Names{"n2"});
  }
}

TEST(LauncherFailure, NamesEachHostWhoseDaemonIsMissing) {
  const std::string line = "bash: line 1: /usr/bin/orted: No such file or directory\n";
  EXPECT_EQ(of(line + "muster: ssh to n3 ended with 127\n" + line + "muster: ssh to root@n2 ended with 127\n" +
               after_a_missing_daemon)
                .hosts,
            (Names{"n3", "n2"}));
}

TEST(LauncherFailure, NamesTheHostWhoseDaemonHasNoRoomForItsFiles) {
  const auto failure =
      of(block("A call to mkdir was unable to create the desired directory:\n\n  Directory: "
               "/tmp/ompi.w.0\n  Error:     Read-only file system\n\nPlease check.") +
         "muster: ssh to n3 ended with 213\n" + after_a_missing_daemon + "muster: ssh to n1 ended with 1\n");
  EXPECT_EQ(failure.hosts, Names{"n3"});
  EXPECT_NE(failure.sentence.find("a file system cannot be written to on n3"), std::string::npos) << failure.sentence;
  EXPECT_EQ(of("[n2:7] PMIX ERROR: OUT-OF-RESOURCE in file dstore_segment.c at line 208\n").cause,
            "PMIx cannot make its files, or memory ran out");
  EXPECT_EQ(of("[n2:7] PMIX ERROR: OUT-OF-RESOURCE in file dstore_segment.c at line 208\n"
               "[n2:8] PMIX ERROR: ERROR in file gds_ds12_lock_pthread.c at line 169\n")
                .cause,
            "PMIx cannot make its files");
}

TEST(LauncherFailure, NamesTheHostWhoseDaemonHasNoWayBack) {
  const auto failure = of(block("A process or daemon was unable to complete a TCP connection\nto another process:\n  "
                                "Local host:    w\n  Remote host:   front\nThis is usually caused by a firewall.") +
                          "muster: ssh to n3 ended with 1\n" + after_a_missing_daemon);
  EXPECT_EQ(failure.cause, "mpirun's daemon could not reach mpirun");
  EXPECT_EQ(failure.hosts, Names{"n3"});
}

TEST(LauncherFailure, CountsNoSessionOfSshThatEndsAfterTheFailure) {
  const auto failure = of(block("A daemon failed to report back after being spawned.\n\n  Local host:    front\n"
                                "  Remote host:   n3\n  Daemon exit status: 213\n") +
                          "muster: ssh to n1 ended with 1\n");
  EXPECT_EQ(failure.hosts, Names{"n3"});
  EXPECT_NE(failure.sentence.find("(Daemon exit status: 213)"), std::string::npos) << failure.sentence;
}

TEST(LauncherFailure, NamesTheHostOfADaemonThatSpeaksInABlock) {
  EXPECT_EQ(of(block("An option was included on the prted command line that requires\nan argument") +
               "muster: ssh to n2 ended with 213\n" + after_a_missing_daemon)
                .hosts,
            Names{"n2"});
}

TEST(LauncherFailure, AccusesNobodyWhereNoHostIsNamed) {
  const auto failure = of(after_a_missing_daemon);
  EXPECT_EQ(failure.sentence,
            "mpirun's daemon did not start on one of 3 hosts; start it by hand: ssh HOST orted --version");
  EXPECT_TRUE(failure.hosts.empty());
}

TEST(LauncherFailure, QuotesWhatAnUnknownShellSaidBefore) {
  const auto failure =
      of("Ask the operators for a project first.\nmuster: ssh to n2 ended with 1\n" + after_a_missing_daemon);
  EXPECT_NE(failure.sentence.find("did not start on n2 (Ask the operators for a project first)"), std::string::npos)
      << failure.sentence;
}

TEST(LauncherFailure, QuotesTheLastLineBeforeAProgramEnded) {
  const auto failure = of("Welcome\nTraceback\nSystemError: 1\n" +
                          block("mpirun detected that one or more processes exited with non-zero status. The first "
                                "was:\n\n  Process name: [[1,1],2]\n  Exit code:    1"));
  EXPECT_NE(failure.sentence.find("on n2 (Exit code: 1) (SystemError: 1)"), std::string::npos) << failure.sentence;
}

TEST(LauncherFailure, QuotesAnUnknownBlockBesideWhatFollowsFromIt) {
  const auto failure = of(block("The gizmo is broken. We apologize.") +
                          block("mpirun detected that one or more processes exited with non-zero status. The first "
                                "was:\n\n  Process name: [[1,1],2]\n  Exit code:    1"));
  EXPECT_NE(failure.sentence.find("on n2 (Exit code: 1) (The gizmo is broken);"), std::string::npos)
      << failure.sentence;
}

TEST(LauncherFailure, NamesTheHostInSshsOwnWords) {
  for (const auto* line :
       {"root@n2: Permission denied (publickey).", "ssh: connect to host n2 port 22: No route to host",
        "ssh: Could not resolve hostname n2: Name or service not known",
        "No ED25519 host key is known for [n2]:2222 and you have requested strict checking."})
    EXPECT_EQ(of(line + std::string("\n")).hosts, Names{"n2"}) << line;
}

TEST(LauncherFailure, ReadsTheHostOfABlock) {
  const auto missing =
      of(block("mpirun was unable to launch the application as it could not access\nor execute an "
               "executable:\n\nExecutable: /opt/check\nNode: n2\n\nwhile starting process rank 3."));
  EXPECT_EQ(missing.sentence,
            "the check is not installed, or cannot be executed on n2 (Executable: /opt/check); install muster there, "
            "in the same folder");
  EXPECT_EQ(missing.hosts, Names{"n2"});
}

TEST(LauncherFailure, TakesTheHostOfARankFromTheOrderOfHosts) {
  const std::string said =
      "/opt/check: error while loading shared libraries: libmpi.so.40: cannot open shared object file\n" +
      block("Primary job  terminated normally, but 1 process returned\na non-zero exit code.") +
      block(
          "mpirun detected that one or more processes exited with non-zero status, thus causing\nthe job to be "
          "terminated. The first process to do so was:\n\n  Process name: [[27183,1],5]\n  Exit code:    127");
  EXPECT_EQ(of(said).hosts, Names{"n3"});
  auto job = on_three_hosts();
  job.ranks_follow_the_hosts = false;
  EXPECT_TRUE(of(said, job).hosts.empty());
  EXPECT_NE(of(said, job).sentence.find("is missing on one of 3 hosts"), std::string::npos);
}

TEST(LauncherFailure, NamesSignalAndHostOfARankWhateverTheLinesAre) {
  for (const auto* text :
       {"mpirun noticed that process rank 3 with PID 19 on node n2 exited on signal 9 (Killed).",
        "prterun noticed that process rank 3 with PID 19 on node n2 exited on\nsignal 9 (Killed)."}) {
    EXPECT_EQ(of(block(text)).hosts, Names{"n2"});
    EXPECT_NE(of(block(text)).sentence.find("it kills so when memory runs out"), std::string::npos);
  }
}

TEST(LauncherFailure, TakesTheLastNodeOfALostDaemonForTheMpirunIsNamedFirst) {
  const std::string said = block(
      "ORTE has lost communication with a remote daemon.\n\n  HNP daemon   : [[1,0],0] on node n1\n"
      "  Remote daemon: [[1,0],2] on node n2\n\nThis is usually due to a failure of the network.");
  EXPECT_EQ(of(said).hosts, Names{"n2"});
  auto job = on_three_hosts();
  job.binds_ranks = true;
  EXPECT_TRUE(of(said, job).hosts.empty());
  EXPECT_NE(of(said, job).sentence.find("ranks do not fit"), std::string::npos);
}

TEST(LauncherFailure, AccusesNobodyOfASettingThatAllHostsHave) {
  const auto asked = block(
      "A requested component was not found, or was unable to be opened.\n\nHost:      n2\n"
      "Framework: pml\nComponent: ucxx");
  EXPECT_EQ(of(asked).hosts, Names{"n2"});
  for (const std::string more : {"[front:7] 2 more processes have sent help message help-mca-base.txt / find\n",
                                 "[n3:812] *** An error occurred in MPI_Init\n"}) {
    EXPECT_TRUE(of(asked + more).hosts.empty());
    EXPECT_NE(of(asked + more).sentence.find(", seen first on n2 (Component: ucxx)"), std::string::npos);
  }
}

TEST(LauncherFailure, TakesNoHostFromABlockThatOpenMpiFillsWithRubbish) {
  const auto failure =
      of(block("A requested component was not found, or was unable to be opened.\n\nHost:      coll\n"
               "Framework: \x01\xff\nComponent: (null)"));
  EXPECT_TRUE(failure.hosts.empty());
  EXPECT_EQ(failure.sentence.find("on coll"), std::string::npos) << failure.sentence;
}

TEST(LauncherFailure, SaysThatAComponentIsMissingWhereTheLauncherRuns) {
  const auto failure = of(block("A requested component was not found.\n\nHost:      front\nComponent: foo"));
  EXPECT_TRUE(failure.hosts.empty());
  EXPECT_NE(failure.sentence.find(", seen first on front (Component: foo)"), std::string::npos) << failure.sentence;
}

TEST(LauncherFailure, AWarningIsNoCauseWhereAnotherBlockIsThere) {
  EXPECT_EQ(
      of(block("WARNING: Something is old.\n\n  Local host: n2") + block("It went wrong. We are sorry.")).sentence,
      "It went wrong");
}

TEST(LauncherFailure, GivesTheFirstSentenceOfWhatItDoesNotKnow) {
  const auto failure =
      of(block("The gizmo of\n  this  job   is broken:\n\n  Node: n2\n  Gizmo: blue\n\nWe apologize.") +
         "[front:7] Set MCA parameter \"orte_base_help_aggregate\" to 0 to see all\n");
  EXPECT_EQ(failure.sentence, "The gizmo of this job is broken: Node: n2, Gizmo: blue");
  EXPECT_TRUE(failure.hosts.empty());
  EXPECT_FALSE(failure.is_known);
}

TEST(LauncherFailure, SaysWhatItCanWhereTheLauncherIsSilent) {
  for (const auto* said :
       {"", " \n", "\n\n", "[front:7] plm:ssh: Warning: setpgid(8,8) failed in parent with errno=13\n"})
    EXPECT_TRUE(
        why_launcher_failed(said, 213, on_three_hosts()).sentence.starts_with("it told no cause, and its exit"));
}

TEST(LauncherFailure, BelievesACheckThatRefusesToRun) {
  EXPECT_EQ(of("muster-allreduce: --max-bytes: too much\n" + block("mpirun detected that one or more processes exited "
                                                                   "with non-zero status"))
                .sentence,
            "--max-bytes: too much");
}

TEST(LauncherFailure, TakesNoHostFromAShortNameThatTwoHostsShare) {
  auto job = on_three_hosts();
  job.hosts = {"w.one.test", "w.two.test"};
  const std::string said = block("A daemon failed to report back after being spawned.\n\n  Remote host:   w");
  EXPECT_TRUE(of(said, job).hosts.empty());
  job.hosts = {"w.one.test", "v.two.test"};
  EXPECT_EQ(of(said, job).hosts, Names{"w.one.test"});
}

TEST(LauncherFailure, DoesNotAccuseTheMachineOfTheLauncher) {
  EXPECT_TRUE(of("[front:2996] PMIX ERROR: OUT-OF-RESOURCE in file client.c at line 323\n").hosts.empty());
  EXPECT_EQ(of("[n2:2996] PMIX ERROR: OUT-OF-RESOURCE in file client.c at line 323\n").hosts, Names{"n2"});
}

TEST(LauncherFailure, ReadsHydra) {
  EXPECT_EQ(
      of("[mpiexec@front] match_arg (/src/args.c:166): unrecognized argument allow-run-as-root\n"
         "[mpiexec@front] main (/src/mpiexec.c:49): error parsing parameters\n")
          .sentence,
      "this mpirun is not of Open MPI (unrecognized argument allow-run-as-root); put the mpirun of Open MPI first "
      "in PATH");
  EXPECT_EQ(of("[proxy:1@n2] HYDU_create_process (/src/launch.c:73): execvp error on file /opt/check (No such file or "
               "directory)\n")
                .hosts,
            Names{"n2"});
  const std::string wide(83, '=');
  const auto killed = of(wide +
                         "\n=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   PID 7 RUNNING AT n3\n"
                         "=   EXIT CODE: 9\n=   CLEANING UP REMAINING PROCESSES\n" +
                         wide + "\n");
  EXPECT_EQ(killed.hosts, Names{"n3"});
  EXPECT_NE(killed.sentence.find("a rank was killed on n3"), std::string::npos) << killed.sentence;
}

TEST(LauncherFailure, NeedsNoHostsOnThisMachineAlone) {
  EXPECT_EQ(
      of(block("There are not enough slots available in the system."), {}).sentence,
      "the hosts have fewer slots than the job has ranks; give fewer ranks (--ranks-on-each), or more slots in the "
      "hostfile");
  EXPECT_TRUE(of(block("mpirun noticed that process rank 0 with PID 9 on node front exited on signal 4 (Illegal)."), {})
                  .hosts.empty());
}

TEST(LauncherCauses, AreEachFoundByTheirOwnMarkers) {
  for (const auto& cause : launcher_causes()) {
    const auto failure = of(block(std::string(cause.more) + " " + std::string(cause.marker) + "x"));
    EXPECT_TRUE(failure.is_known) << cause.marker;
    EXPECT_FALSE(cause.remedy.empty() || cause.remedy.ends_with('.')) << cause.marker;
    EXPECT_FALSE(cause.cause.ends_with('.')) << cause.marker;
  }
}

TEST(LauncherFailure, WhatACheckWaitedForCountsWhereNothingElseIsKnown) {
  const std::string waited =
      "muster-allreduce: h2: MPI had not connected the ranks after 9 s over eth0 (10.0.0.5), when "
      "the job was told to stop; look at that network\n";
  EXPECT_EQ(of(waited).sentence,
            "h2: MPI had not connected the ranks after 9 s over eth0 (10.0.0.5), when the job was told to "
            "stop; look at that network");
  const auto both = of(waited + block("At least one pair of MPI processes are unable to reach each other for\nMPI "
                                      "communications."))
                        .sentence;
  EXPECT_TRUE(both.starts_with("two ranks have no way to each other")) << both;
}

}  // namespace
}  // namespace muster::healthcheck
