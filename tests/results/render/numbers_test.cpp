// SPDX-License-Identifier: Apache-2.0
#include "results/render/numbers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace muster::results {
namespace {

CheckRun measured(const std::string& check, const std::vector<Measurement>& measurements) {
  CheckRun run;
  run.check = check;
  run.measurements = measurements;
  return run;
}

Measurement fact(const std::string& metric, Value value, Labels labels = {}) {
  return {.metric = metric, .value = std::move(value), .labels = std::move(labels)};
}

Verdict verdict(const Measurement& measurement, Status status, const std::string& expected) {
  Verdict made;
  made.metric = measurement.metric;
  made.labels = measurement.labels;
  made.status = status;
  made.expected = expected;
  return made;
}

TEST(HeadlineNumbers, AreSpeedsTimesTemperaturesAndPowersAndNothingElse) {
  const auto run = measured(
      "c", {fact("c.text", "ext4"), fact("c.count", Quantity{8}), fact("c.size", Quantity{4096, Unit::byte}),
            fact("c.cpu_time", Quantity{1, Unit::second}), fact("c.bandwidth", Quantity{2e9, Unit::byte_per_second}),
            fact("c.temperature", Quantity{40, Unit::celsius})});
  EXPECT_EQ(headline_numbers(run), (std::vector<Row>{{"", "bandwidth 2 GB/s; temperature 40 °C"}}));
}

TEST(HeadlineNumbers, TellOperationsOfDisksAsIopsBesideTheirLatency) {
  const Labels pattern{{"pattern", "random_read"}, {"path", "/mnt"}};
  auto p50 = pattern, p99 = pattern;
  p50["percentile"] = "p50";
  p99["percentile"] = "p99";
  const auto run = measured("disk_io", {fact("disk_io.rate", Quantity{62856.4, Unit::hertz}, pattern),
                                        fact("disk_io.latency", Quantity{1e-4, Unit::second}, p50),
                                        fact("disk_io.latency", Quantity{2e-3, Unit::second}, p99)});
  EXPECT_EQ(headline_numbers(run), (std::vector<Row>{{"pattern random_read", "rate 62856 IOPS; latency p99 2 ms"}}));
}

TEST(HeadlineNumbers, OfSiblingsAreTheLeastAndTheGreatestWithTheirNames) {
  std::vector<Measurement> gpus;
  for (int gpu = 0; gpu < 8; ++gpu)
    gpus.push_back(fact("gpu_copy.bandwidth", Quantity{(gpu == 3 ? 37.1e9 : 50e9 + gpu * 1e9), Unit::byte_per_second},
                        {{"gpu", std::to_string(gpu)}, {"direction", "both"}}));
  auto run = measured("gpu_copy", gpus);
  EXPECT_EQ(headline_numbers(run),
            (std::vector<Row>{{"direction both", "bandwidth 37.1 GB/s (gpu 3) to 57 GB/s (gpu 7) of 8"}}));
  run.verdicts = {verdict(gpus[3], Status::fail, "at least 40 GB/s")};
  EXPECT_EQ(headline_numbers(run),
            (std::vector<Row>{{"direction both",
                               "bandwidth 37.1 GB/s (gpu 3) to 57 GB/s (gpu 7) of 8, expected: at least 40 GB/s"}}));
  for (auto& gpu : run.measurements) gpu.value = Quantity{50e9, Unit::byte_per_second};
  run.verdicts.clear();
  EXPECT_EQ(headline_numbers(run), (std::vector<Row>{{"direction both", "bandwidth 50 GB/s of each of 8"}}));
}

TEST(AllNumbers, HaveEveryValueAndNumbersOfThoseOfOneMetric) {
  const auto one = fact("c.filesystem", "ext4", {{"path", "/mnt"}});
  const auto other = fact("c.count", Quantity{8});
  auto run = measured("c", {one, other});
  run.verdicts = {verdict(other, Status::pass, "equals 8")};
  EXPECT_EQ(all_numbers(run), (std::vector<Row>{{"filesystem", "path /mnt", "ext4  not judged"},
                                                {"count", "", "8  pass, expected: equals 8"}}));
  EXPECT_EQ(numbers_of(run, "c.count"), (std::vector<Row>{{"count", "", "8  pass, expected: equals 8"}}));
}

TEST(JudgesNoSpeed, OnlyWhereSpeedsWereMeasuredAndNoneIsJudged) {
  Report report;
  report.checks = {measured("c", {fact("c.count", Quantity{8})})};
  EXPECT_FALSE(judges_no_speed(report)) << "none was measured";
  const auto speed = fact("c.bandwidth", Quantity{2e9, Unit::byte_per_second});
  report.checks.push_back(measured("c", {speed}));
  EXPECT_TRUE(judges_no_speed(report));
  report.checks[1].verdicts = {verdict(speed, Status::skip, "")};
  EXPECT_TRUE(judges_no_speed(report)) << "a skip is not a judgement";
  report.checks[1].verdicts = {verdict(speed, Status::pass, "at least 1 GB/s")};
  EXPECT_FALSE(judges_no_speed(report));
}

}  // namespace
}  // namespace muster::results
