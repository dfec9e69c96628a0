// SPDX-License-Identifier: Apache-2.0
#include "results/values/merged_runs.hpp"

#include <gtest/gtest.h>

#include "results/render/text.hpp"

namespace muster::results {
namespace {

// Of eight GPUs, of which one is slow.
Report eight() {
  Report report{.hosts = {{"vm", {}}}};
  for (const auto* gpu : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
    CheckRun& run = report.checks.emplace_back();
    run.check = "gpu_memory";
    run.host = "vm";
    run.component = {{"gpu", gpu}};
    run.outcome = Outcome::finished;
    run.started = "2026-11-29T02:00:00.000Z";
    run.duration_seconds = gpu[0] - '0' + 1;
    const double bandwidth = gpu[0] == '5' ? 1e12 : 3e12 + 1e10 * (gpu[0] - '0');
    run.measurements = {{.metric = "gpu_memory.bandwidth",
                         .value = Quantity{bandwidth, Unit::byte_per_second},
                         .labels = {{"kernel", "copy"}}}};
    run.status = gpu[0] == '5' ? Status::fail : Status::pass;
    run.verdicts = {{.status = run.status,
                     .metric = "gpu_memory.bandwidth",
                     .labels = {{"kernel", "copy"}, {"gpu", gpu}, {"host", "vm"}},
                     .expected = "at least 2 TB/s"}};
  }
  return report;
}

TEST(MergedRuns, ThoseThatEndedAlikeAreOneAndTheOtherStandsAlone) {
  const auto told = merged(eight().checks);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].component, (Labels{{"gpu", "0, 1, 2, 3, 4, 6 and 7"}}));
  EXPECT_EQ(told[0].duration_seconds, 8);
  EXPECT_EQ(told[0].measurements.size(), 7U);
  EXPECT_EQ(told[0].measurements[1].labels, (Labels{{"gpu", "1"}, {"kernel", "copy"}}));
  EXPECT_EQ(told[1].component, (Labels{{"gpu", "5"}}));
  EXPECT_EQ(told[1].status, Status::fail);
}

TEST(MergedRuns, TheTableHasTheLeastAndTheGreatestOfThem) {
  const auto text = to_text(eight(), View{});
  EXPECT_NE(text.find("PASS     gpu_memory  gpu 0, 1, 2, 3, 4, 6 and 7  8 s  7 pass\n"), text.npos) << text;
  EXPECT_NE(text.find("kernel copy  bandwidth 3 TB/s (gpu 0) to 3.07 TB/s (gpu 7) of 7, expected: at least 2 TB/s\n"),
            text.npos)
      << text;
  EXPECT_NE(text.find("FAIL     gpu_memory  gpu 5                       6 s  1 fail\n"), text.npos) << text;
  EXPECT_NE(text.find("kernel copy  bandwidth 1 TB/s, expected: at least 2 TB/s\n"), text.npos) << text;
}

TEST(MergedRuns, RunsOfOtherHostsLooksOrOfNoComponentStayApart) {
  CheckRun run{.check = "cpu", .host = "a"};
  CheckRun other = run;
  EXPECT_EQ(merged({run, other}).size(), 2U) << "of no component";
  run.component = other.component = {{"gpu", "1"}};
  other.host = "b";
  EXPECT_EQ(merged({run, other}).size(), 2U);
  other = run;
  other.attempt = 2;
  EXPECT_EQ(merged({run, other}).size(), 2U);
}

}  // namespace
}  // namespace muster::results
