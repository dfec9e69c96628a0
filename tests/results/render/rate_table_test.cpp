// SPDX-License-Identifier: Apache-2.0
#include "results/render/rate_table.hpp"

#include <gtest/gtest.h>

namespace muster::results {
namespace {

CheckRun measured() {
  CheckRun run;
  run.check = "some_reduce";
  const Labels labels{{"placement", "in-place"}, {"reduce", "sum"}, {"size", "1 GiB"}, {"type", "float"}};
  const auto add = [&](const char* metric, Quantity value, std::optional<Summary> summary) {
    run.measurements.push_back(
        {.metric = metric, .value = value, .labels = labels, .summary = summary, .stopping = {}, .limit = {}});
  };
  add("some_reduce.time", {0.004, Unit::second}, Summary{.n = 9, .p99 = 0.005});
  add("some_reduce.bus_bandwidth", {466e9, Unit::byte_per_second},
      Summary{.n = 9, .median_interval = Interval{460e9, 470e9}});
  add("some_reduce.algorithm_bandwidth", {266e9, Unit::byte_per_second}, {});
  add("some_reduce.wrong_elements", {3}, {});
  return run;
}

TEST(RateLines, AreThoseOfNcclTestsWithTheIntervalOfTheMedian) {
  const auto lines = rate_lines(measured(), 200);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], " size   type  redop  placement  n  time   p99     algbw     busbw                  95 %  wrong");
  EXPECT_EQ(lines[1], "1 GiB  float    sum   in-place  9  4 ms  5 ms  266 GB/s  466 GB/s  460 GB/s to 470 GB/s      3");
}

TEST(RateLines, SayWhatWasNotMeasuredByADash) {
  auto run = measured();
  run.measurements.resize(1);
  EXPECT_EQ(rate_lines(run, 200).at(1), "1 GiB  float    sum   in-place  9  4 ms  5 ms      -      -     -      -");
}

TEST(RateLines, LeaveOutWhatANarrowTerminalHasNoRoomFor) {
  EXPECT_EQ(rate_lines(measured(), 70).at(0), " size   type  redop  placement  time   p99     algbw     busbw  wrong");
  EXPECT_EQ(rate_lines(measured(), 45).at(0), " size  time     algbw     busbw  wrong");
}

TEST(RateLines, AreNoneForOtherChecks) {
  auto run = measured();
  run.check = "another";
  EXPECT_TRUE(rate_lines(run, 200).empty());
}

}  // namespace
}  // namespace muster::results
