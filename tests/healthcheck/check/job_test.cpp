// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/job.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "benchmarks/ranks/thread_ranks.hpp"
#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Told;

TEST(WrongSize, OneRankIsNoJobUnlessItWasAskedFor) {
  EXPECT_EQ(wrong_size(1, {}), "one rank moves no data: start several with mpirun, or say --ranks 1");
  EXPECT_EQ(wrong_size(1, {.same = {}, .wanted_size = 1}), "");
  EXPECT_EQ(wrong_size(2, {}), "");
}

TEST(WrongSize, ALauncherThatStartedOthersIsNamed) {
  const Member member{
      .same = {},
      .launcher = {.name = "srun", .size = Told{"SLURM_STEP_NUM_TASKS", 16}, .rank = Told{"SLURM_PROCID", 0}},
      .library = "Open MPI v4.1.4",
      .wanted_size = {}};
  EXPECT_EQ(wrong_size(1, member),
            "srun started 16 ranks (SLURM_STEP_NUM_TASKS=16), but Open MPI v4.1.4 sees a job of 1: start it with the "
            "mpirun of that library, or with srun --mpi=pmix");
  EXPECT_EQ(wrong_size(16, member), "");
}

TEST(WrongSize, IsHeldAgainstWhatWasWanted) {
  EXPECT_EQ(wrong_size(8, {.same = {}, .wanted_size = 16}), "--ranks wants 16, the job has 8");
}

TEST(OddOneOut, IsNamedWithItsHost) {
  EXPECT_EQ(odd_one_out("profile", {"a", "a", "b"}, {"one", "one", "two"}),
            "rank 2 on two has another profile than rank 0 on one: b instead of a");
  EXPECT_EQ(odd_one_out("topology file", {"a", ""}, {"one", "two"}),
            "rank 1 on two has another topology file than rank 0 on one: none instead of a");
  EXPECT_EQ(odd_one_out("profile", {"a", "a"}, {"one", "two"}), "");
}

TEST(OneRankOnEach, ASecondOneIsRefused) {
  expect_one_rank_on_each({"one", "two"});
  try {
    expect_one_rank_on_each({"one", "two", "one"});
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "one has the ranks 0 and 2: start one on each host (mpirun --map-by ppr:1:node)");
  }
}

TEST(GatherFacts, GivesRankZeroThoseOfAll) {
  benchmarks::as_ranks(3, [](benchmarks::Ranks& ranks) {
    const results::Measurement own{.metric = "a.b", .value = results::count(static_cast<std::size_t>(ranks.rank()))};
    const auto all = gather_facts(ranks, {own, own});
    ASSERT_EQ(all.size(), ranks.rank() == 0 ? 6U : 0U);
    if (ranks.rank() == 0) {
      EXPECT_EQ(all[0], own);
      EXPECT_EQ(results::to_text(all[5].value), "2");
    }
  });
}

TEST(JoinHosts, ABrokenReadingOfCountersIsToldWithItsHostAndLosesNoOther) {
  benchmarks::as_ranks(3, [](benchmarks::Ranks& ranks) {
    const auto name = fmt::format("host{}", ranks.rank());
    results::Report report;
    report.version = "0.0.0";
    report.run_id = "0000000000000000";
    report.started = "2026-11-22T00:00:00Z";
    report.hosts = {{.name = name, .fingerprint = {}}};
    auto& run = report.checks.emplace_back();
    run.check = "ib_bandwidth";
    run.host = name;
    run.outcome = ranks.rank() == 1 ? results::Outcome::error : results::Outcome::finished;
    if (ranks.rank() == 1) run.reason = "a counter is gone";
    run.measurements = {{.metric = "a.b", .value = results::count(1)}};
    run.evidence = {{.metric = "pcie_aer.fatal", .labels = {{"pci", "0"}}, .before = 1, .after = 1}};
    join_hosts(report, ranks);
    if (ranks.rank() != 0) return;
    EXPECT_EQ(run.outcome, results::Outcome::error);
    EXPECT_EQ(run.reason, "host1: a counter is gone");
    EXPECT_EQ(run.hosts, (std::vector<std::string>{"host0", "host1", "host2"}));
    EXPECT_EQ(report.hosts.size(), 3U);
    EXPECT_EQ(run.measurements.size(), 1U);
    ASSERT_EQ(run.evidence.size(), 3U);
    EXPECT_EQ(run.evidence[2].labels.at("host"), "host2");
  });
}

}  // namespace
}  // namespace muster::healthcheck
