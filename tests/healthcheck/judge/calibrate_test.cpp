// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/calibrate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "healthcheck/judge/judge.hpp"
#include "tests/healthcheck/judge/calibrating.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Report;
using results::Status;
using results::Unit;

TEST(Calibrate, SetsThresholdsAtSharesOfTheWorstHealthyMedian) {
  const auto profile = calibrate(three, wide).profile;
  ASSERT_EQ(profile.expectations.size(), 2u) << "a thread count is neither a bandwidth nor a duration";
  const auto& bandwidth = profile.expectations[0];
  EXPECT_EQ(bandwidth.metric, "host_memory.bandwidth");
  EXPECT_EQ(bandwidth.bound.kind, BoundKind::at_least);
  EXPECT_DOUBLE_EQ(bandwidth.bound.pass, 0.6 * 98e9);
  EXPECT_DOUBLE_EQ(bandwidth.bound.fail, 0.4 * 98e9);
  EXPECT_EQ(bandwidth.count, 2u) << "both NUMA nodes must be measured";
  EXPECT_TRUE(bandwidth.labels.empty()) << "one expectation is about all NUMA nodes and hosts";
  const auto& latency = profile.expectations[1];
  EXPECT_EQ(latency.bound.kind, BoundKind::at_most);
  EXPECT_DOUBLE_EQ(latency.bound.pass, 2e-6 / 0.6);
  EXPECT_DOUBLE_EQ(latency.bound.fail, 2e-6 / 0.4);
}

TEST(Calibrate, SaysWhereItComesFrom) {
  const auto expectation = calibrate(three, wide).profile.expectations[0];
  EXPECT_EQ(expectation.source, "muster calibrate: 6 medians from 98 GB/s to 104 GB/s in runs 1, 2, 3");
  EXPECT_EQ(expectation.date, "2026-11-23");
  ASSERT_TRUE(expectation.noise);
  EXPECT_NEAR(*expectation.noise, 1.4826 * 1.5 / 101.5, 1e-4);
}

TEST(Calibrate, WhatWasComputedFromSamplesGetsNoSecondThresholds) {
  auto reports = three;
  for (Report& report : reports) report.checks[0].measurements[2].stopping.reset();
  EXPECT_EQ(calibrate(reports, wide).profile.expectations.size(), 1u);
}

TEST(Calibrate, TheSpreadWithinAMeasurementCountsToo) {
  auto reports = three;
  reports[1].checks[0].measurements[0].summary =
      results::Summary{.n = 20, .median = 102e9, .spread = 0.2, .median_interval = results::Interval{101e9, 103e9}};
  EXPECT_EQ(calibrate(reports, wide).profile.expectations[0].noise, 0.2);
}

// What is left out of these reports.
std::vector<std::string> left_out(const std::vector<Report>& reports, const Calibration& calibration = wide) {
  return calibrate(reports, calibration).left_out;
}

TEST(Calibrate, LeavesOutMediansThatMayLieBeyondTheirOwnThresholdsAndKeepsTheRest) {
  auto reports = three;
  auto& measurement = reports[1].checks[0].measurements[0];
  measurement.summary =
      results::Summary{.n = 7, .median = 102e9, .median_interval = results::Interval{61.3e9, 142.7e9}};
  EXPECT_TRUE(left_out(reports).empty());
  measurement.summary->median_interval = results::Interval{61.1e9, 142.9e9};
  EXPECT_EQ(left_out(reports),
            (std::vector<std::string>{
                "host_memory.bandwidth: the median is uncertain in run 2 (host node, numa 0) by 40 %"}));
  EXPECT_EQ(calibrate(reports, wide).profile.expectations[0].metric, "ib_latency.latency");
}

TEST(Calibrate, LeavesOutTooFewSamplesAndRefusesNumbersThatCannotBe) {
  auto reports = three;
  reports[1].checks[0].measurements[0].summary = results::Summary{.n = 5, .median = 102e9};
  EXPECT_EQ(left_out(reports),
            (std::vector<std::string>{"host_memory.bandwidth: only 5 samples in run 2 (host node, numa 0)"}));
  reports = three;
  reports[0].checks[0].measurements[0].limit =
      results::Limit{.value = {50e9, Unit::byte_per_second}, .source = "two modules"};
  EXPECT_TRUE(
      refusal(reports).starts_with("run 1 (host node, numa 0) has a host_memory.bandwidth that is impossible: "))
      << refusal(reports);
}

TEST(Calibrate, ThresholdsFollowWhatHealthyRunsDifferBy) {
  const std::vector<Report> steady = {healthy("1", 100e9, 100e9, 1e-6), healthy("2", 100e9, 100e9, 1e-6)};
  const Calibration by_spread{.name = "lab", .pass = {}, .fail = {}, .without = {}};
  const auto close = calibrate(steady, by_spread).profile.expectations[0].bound;
  EXPECT_DOUBLE_EQ(close.pass, 0.92 * 100e9) << "the least margin";
  EXPECT_DOUBLE_EQ(close.fail, 0.8 * 100e9);
  const std::vector<Report> spread = {healthy("1", 96e9, 100e9, 1e-6), healthy("2", 104e9, 100e9, 1e-6)};
  const auto wider = calibrate(spread, by_spread).profile.expectations[0].bound;
  EXPECT_DOUBLE_EQ(wider.pass, 0.88 * 96e9) << "three times the 4 % that the runs of a component differ by";
  EXPECT_DOUBLE_EQ(wider.fail, 0.76 * 96e9);
  const std::vector<Report> noisy = {healthy("1", 90e9, 100e9, 1e-6), healthy("2", 110e9, 100e9, 1e-6)};
  EXPECT_EQ(left_out(noisy, by_spread), (std::vector<std::string>{"host_memory.bandwidth: these runs differ by 10 %"}));
}

TEST(Calibrate, AMachineSlowedByAQuarterFailsItsOwnProfile) {
  const Calibration by_spread{.name = "lab", .pass = {}, .fail = {}, .without = {}};
  const std::vector<Report> runs = {healthy("1", 98e9, 101e9, 1e-6), healthy("2", 102e9, 99e9, 1.02e-6)};
  const auto profile = calibrate(runs, by_spread).profile;
  const Faults faults(tests::source_folder() / "healthcheck" / "faults.json");
  EXPECT_EQ(judge(healthy("3", 100e9, 100e9, 1e-6), profile, faults).status, Status::pass);
  EXPECT_EQ(judge(healthy("3", 75e9, 100e9, 1e-6), profile, faults).status, Status::fail);
  EXPECT_EQ(judge(healthy("3", 100e9, 100e9, 1e-6 / 0.75), profile, faults).status, Status::fail);
}

TEST(Calibrate, WhereItWasMeasuredIsNoPartOfIt) {
  auto reports = three;
  for (Report& report : reports)
    for (auto& measurement : report.checks[0].measurements) {
      measurement.labels["path"] = "/home/me/" + report.run_id;
      measurement.labels["device"] = "vd" + report.run_id;
      measurement.labels["pattern"] = "random_read";
    }
  for (const auto& expectation : calibrate(reports, wide).profile.expectations)
    EXPECT_EQ(expectation.labels, (results::Labels{{"pattern", "random_read"}}));
}

TEST(Calibrate, IopsAndPercentilesOfLatencyGetThresholdsToo) {
  auto reports = three;
  for (Report& report : reports) {
    auto& measurements = report.checks[0].measurements;
    measurements.resize(2);
    measurements[0] = {.metric = "disk_io.rate", .value = Quantity{5e4, Unit::hertz}, .stopping = results::Stopping{}};
    measurements[1] = {.metric = "disk_io.latency", .value = Quantity{1e-3, Unit::second}, .labels = {}};
    for (const auto* percentile : {"p50", "p99", "p99.9", "max"}) {
      auto latency = measurements[1];
      latency.labels = {{"percentile", percentile}};
      measurements.push_back(std::move(latency));
    }
  }
  std::vector<std::string> found;
  for (const auto& expectation : calibrate(reports, wide).profile.expectations)
    found.push_back(expectation.metric + " " + results::to_text(expectation.labels));
  EXPECT_EQ(found, (std::vector<std::string>{"disk_io.latency percentile p50", "disk_io.latency percentile p99",
                                             "disk_io.rate "}));
}

TEST(Calibrate, MetricsCanBeLeftOutByName) {
  auto without = wide;
  without.without = {"ib_latency.latency"};
  EXPECT_EQ(calibrate(three, without).profile.expectations.size(), 1u);
  without.without = {"ib_latency.latancy"};
  EXPECT_EQ(refusal(three, without),
            "--without: these runs hold no ib_latency.latancy that could get thresholds. Did you mean "
            "'ib_latency.latency'?");
}

TEST(Calibrate, CountsTheWholeWithItsPartsAndNoSecondLook) {
  auto reports = three;
  for (Report& report : reports) {
    auto& run = report.checks[0];
    auto whole = run.measurements[0];
    whole.value = Quantity{200e9, Unit::byte_per_second};
    whole.labels = {{"numa", "all"}};
    run.measurements.push_back(whole);
    auto second = run;
    second.attempt = 2;
    for (auto& measurement : second.measurements) measurement.value = Quantity{1, Unit::byte_per_second};
    report.checks.push_back(second);
  }
  const auto profile = calibrate(reports, wide).profile;
  const auto& parts = profile.expectations[0];
  EXPECT_TRUE(parts.labels.empty());
  EXPECT_EQ(parts.count, 3u) << "a lost part must not hide behind the whole, which it matches too";
  EXPECT_DOUBLE_EQ(parts.bound.pass, 0.6 * 98e9);
  const auto& whole = profile.expectations[1];
  EXPECT_EQ(whole.labels, (results::Labels{{"numa", "all"}}));
  EXPECT_EQ(whole.count, std::nullopt);
}

TEST(Calibrate, CountsTheFactsOfOneHost) {
  auto job = three[0];
  job.checks[0].hosts = {"node1", "node2"};
  auto& measurements = job.checks[0].measurements;
  const auto own = measurements;
  for (auto& fact : measurements) fact.labels["host"] = "node1";
  for (auto fact : own) {
    fact.labels["host"] = "node2";
    measurements.push_back(fact);
  }
  EXPECT_EQ(calibrate(std::vector{job}, wide).profile.expectations[0].count, 2u);
  for (const auto* host : {"node1", "node2"}) {
    auto unequal = job;
    auto third = own.front();
    third.labels = {{"numa", "2"}, {"host", host}};
    unequal.checks[0].measurements.push_back(third);
    EXPECT_EQ(calibrate(std::vector{unequal}, wide).profile.expectations[0].count, 2u)
        << "what the host that has the fewest has";
  }
}

TEST(Calibrate, WhatOneRunDidNotMeasureIsCountedInTheOthers) {
  auto reports = three;
  std::erase_if(reports[1].checks[0].measurements,
                [](const auto& measurement) { return measurement.metric == "host_memory.bandwidth"; });
  EXPECT_EQ(calibrate(reports, wide).profile.expectations[0].count, 2u);
}

TEST(Calibrate, CountsOnlyRunsThatFinished) {
  auto reports = three;
  for (Report& report : reports) {
    auto broken = report.checks[0];
    broken.host = "other";
    broken.outcome = results::Outcome::error;
    broken.measurements.resize(1);
    report.checks.push_back(broken);
  }
  EXPECT_EQ(calibrate(reports, wide).profile.expectations[0].count, 2u);
}

TEST(Calibrate, WhatOnlyJobsOfThreeHostsHaveIsOptional) {
  auto reports = three;
  for (Report& report : reports) {
    auto& measurements = report.checks[0].measurements;
    measurements[0].metric = "ib_bandwidth.received_bandwidth";
    measurements[1].metric = "ib_bandwidth.bandwidth";
  }
  for (const auto& expectation : calibrate(reports, wide).profile.expectations)
    EXPECT_EQ(expectation.optional, expectation.metric == "ib_bandwidth.received_bandwidth") << expectation.metric;
}

TEST(Calibrate, TheProfileReadsBackAndPassesItsOwnHealthyRuns) {
  const tests::TemporaryFolder folder;
  folder.write("lab.json", to_json(calibrate(three, wide).profile, "generic"));
  folder.write("generic.json", R"({"name": "generic", "description": "d", "expectations": []})");
  const auto profile = read_profile(folder.path() / "lab.json");
  const Faults faults(tests::source_folder() / "healthcheck" / "faults.json");
  validate(profile, faults);
  for (const auto& report : three) EXPECT_EQ(judge(report, profile, faults).status, Status::pass);
  EXPECT_EQ(judge(healthy("4", 25e9, 100e9, 1e-6), profile, faults).status, Status::fail) << "a fourfold fault";
  EXPECT_EQ(judge(healthy("4", 100e9, 100e9, 8e-6), profile, faults).status, Status::fail) << "a fourfold fault";
}

TEST(Calibrate, TakesNothingForSurerThanMostOfItsKind) {
  auto reports = three;
  const std::vector<std::vector<double>> rates = {{100, 130, 115}, {90, 120, 100}, {100, 140, 120}, {100, 100, 100}};
  for (std::size_t run = 0; run < reports.size(); ++run)
    for (std::size_t kernel = 0; kernel < rates.size(); ++kernel)
      reports[run].checks[0].measurements.push_back({.metric = "disk_io.rate",
                                                     .value = Quantity{rates[kernel][run], Unit::hertz},
                                                     .labels = {{"kernel", std::to_string(kernel)}},
                                                     .stopping = results::Stopping{.rule = "r", .n = 9}});
  const auto metrics = [](const Calibrated& made) {
    std::vector<std::string> names;
    for (const auto& each : made.profile.expectations) names.push_back(each.metric);
    return names;
  };
  const auto made = calibrate(reports, {.name = "lab"});
  EXPECT_EQ(metrics(made), (std::vector<std::string>{"host_memory.bandwidth"}));
  EXPECT_EQ(std::ranges::count(made.left_out, "disk_io.rate of kernel 3: others of its kind differ by 14 %"), 1)
      << made.left_out.back();
  for (auto& report : reports)
    std::erase_if(report.checks[0].measurements, [](const auto& each) { return each.metric != "disk_io.rate"; });
  EXPECT_EQ(metrics(calibrate(reports, {.name = "lab"})), (std::vector<std::string>{"disk_io.rate"}))
      << "where none is left, each is as sure as it seems";
}

}  // namespace
}  // namespace muster::healthcheck
