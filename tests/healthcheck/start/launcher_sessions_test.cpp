// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "healthcheck/start/launcher_failure.hpp"

namespace muster::healthcheck {
namespace {

const LaunchedJob job_of_sessions{
    .hosts = {"n1", "n2", "n3"}, .launched_from = "front", .ranks_follow_the_hosts = true};

LauncherFailure of_sessions(const std::string& said) { return why_launcher_failed(said, 1, job_of_sessions); }

TEST(LauncherSessions, OfAHostWhoseShellFailedEndWithItsCode) {
  for (const auto* line : {"bash: line 1: /usr/bin/prted: Permission denied",
                           "bash: line 1: /usr/bin/orted: cannot execute: required file not found",
                           "/usr/bin/prted: error while loading shared libraries: libprrte.so.3: file too short"})
    for (const auto* code : {"126", "127"}) {
      const auto healthy = std::string("muster: ssh to n1 ended with 1\nmuster: ssh to n2 ended with 255\n");
      const auto failed = "muster: ssh to n3 ended with " + std::string(code) + "\n";
      EXPECT_EQ(of_sessions(line + ("\n" + healthy) + failed).hosts, std::vector<std::string>{"n3"}) << line;
      EXPECT_EQ(of_sessions(healthy + failed + line + "\n").hosts, std::vector<std::string>{"n3"}) << line;
    }
}

TEST(LauncherSessions, OfHealthyHostsAccuseNobody) {
  const auto failure = of_sessions(
      "bash: line 1: /usr/bin/prted: Permission denied\nmuster: ssh to n1 ended with 1\nmuster: ssh to n2 ended with "
      "255\n");
  EXPECT_TRUE(failure.hosts.empty()) << failure.sentence;
  EXPECT_NE(failure.sentence.find("on one of 3 hosts"), std::string::npos) << failure.sentence;
}

// What Open MPI 4 says of a daemon that cannot reach mpirun, and after any that did not start.
const std::string line_of_block = std::string(74, '-') + "\n";
const std::string no_way_back =
    line_of_block +
    "A process or daemon was unable to complete a TCP connection\nto another process:\n  Local host:    w\n  Remote "
    "host:   front\nThis is usually caused by a firewall.\n" +
    line_of_block;
const std::string no_daemon =
    line_of_block + "ORTE was unable to reliably start one or more daemons.\n" + line_of_block;

TEST(LauncherSessions, OfADaemonThatCameWhenMpirunHadGivenUpAccuseNobody) {
  const auto failure =
      of_sessions("muster: ssh to n2 ended with 1\n" + no_way_back + "muster: ssh to n3 ended with 1\n" + no_daemon);
  EXPECT_EQ(failure.cause, "mpirun's daemon did not start");
  EXPECT_EQ(failure.hosts, std::vector<std::string>{"n2"});
}

TEST(LauncherSessions, OfAllHostsWithoutAWayBackAreNamed) {
  const auto failure = of_sessions(no_way_back + "muster: ssh to n3 ended with 1\n" + no_way_back +
                                   "muster: ssh to n2 ended with 1\n" + no_daemon);
  EXPECT_EQ(failure.cause, "mpirun's daemon could not reach mpirun");
  EXPECT_EQ(failure.hosts, (std::vector<std::string>{"n3", "n2"}));
}

TEST(NeverEnds, WhereMpiSaysThatItCannotConnectTheRanks) {
  const auto said = line_of_block +
                    "WARNING: Open MPI failed to TCP connect to a peer MPI process.  This\nshould not happen.\n\nYour "
                    "Open MPI job may now hang or fail.\n\n  Local host: n2\n  Message:    connect() to 10.78.0.1:1024 "
                    "failed\n  Error:      Operation now in progress (115)\n" +
                    line_of_block;
  EXPECT_TRUE(never_ends(said));
  EXPECT_TRUE(never_ends("At least one pair of MPI processes are unable to reach each other for\nMPI communications."));
  EXPECT_FALSE(never_ends("bash: line 1: /usr/bin/prted: Permission denied\n"));
  EXPECT_FALSE(never_ends(""));
  const auto failure = of_sessions(said);
  EXPECT_EQ(failure.cause, "a rank cannot reach another (Message: connect() to 10.78.0.1:1024 failed)");
  EXPECT_TRUE(failure.hosts.empty());
}

}  // namespace
}  // namespace muster::healthcheck
