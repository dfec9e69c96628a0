// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/calibrate.hpp"

#include <gtest/gtest.h>

#include "healthcheck/error.hpp"
#include "healthcheck/judge.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Report;
using results::Status;
using results::Unit;

// A healthy run of two NUMA nodes that measured these bandwidths and this duration.
Report healthy(const std::string& id, double first, double second, double seconds) {
  Report report;
  report.run_id = id;
  report.started = "2026-11-2" + id + "T02:00:00Z";
  report.status = Status::pass;
  report.hosts = {{.name = "node" + id, .fingerprint = {{"cpu_model", "Xeon"}}}};
  auto& run = report.checks.emplace_back();
  run.check = "host_memory";
  run.host = "node" + id;
  run.outcome = results::Outcome::finished;
  const auto add = [&](const std::string& metric, Quantity value, const results::Labels& labels) {
    run.measurements.push_back(
        {.metric = metric, .value = value, .labels = labels, .stopping = results::Stopping{.rule = "r", .n = 9}});
  };
  add("host_memory.bandwidth", {first, Unit::byte_per_second}, {{"numa", "0"}});
  add("host_memory.bandwidth", {second, Unit::byte_per_second}, {{"numa", "1"}});
  add("host_memory.latency", {seconds, Unit::second}, {});
  add("host_memory.threads", {4, Unit::one}, {});
  return report;
}

const std::vector<Report> three = {healthy("1", 100e9, 104e9, 1e-6), healthy("2", 102e9, 98e9, 2e-6),
                                   healthy("3", 101e9, 103e9, 1e-6)};

std::string refusal(const std::vector<Report>& reports, const Calibration& calibration = {.name = "p"}) {
  try {
    calibrate(reports, calibration);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Calibrate, SetsEdgesAtSharesOfTheWorstHealthyMedian) {
  const auto profile = calibrate(three, {.name = "lab"});
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
  const auto expectation = calibrate(three, {.name = "lab"}).expectations[0];
  EXPECT_EQ(expectation.source, "muster calibrate: 6 medians from 98 GB/s to 104 GB/s in runs 1, 2, 3");
  EXPECT_EQ(expectation.date, "2026-11-23");
  ASSERT_TRUE(expectation.noise);
  EXPECT_NEAR(*expectation.noise, 1.4826 * 1.5 / 101.5, 1e-4);
}

TEST(Calibrate, WhatWasComputedFromSamplesGetsNoSecondEdges) {
  auto reports = three;
  for (Report& report : reports) report.checks[0].measurements[2].stopping.reset();
  EXPECT_EQ(calibrate(reports, {.name = "lab"}).expectations.size(), 1u);
}

TEST(Calibrate, TheSpreadWithinAMeasurementCountsToo) {
  auto reports = three;
  reports[1].checks[0].measurements[0].summary =
      results::Summary{.n = 20, .median = 102e9, .spread = 0.2, .median_interval = results::Interval{101e9, 103e9}};
  EXPECT_EQ(calibrate(reports, {.name = "lab"}).expectations[0].noise, 0.2);
}

TEST(Calibrate, RefusesMediansThatMayLieBeyondTheirOwnEdges) {
  const auto refused = [](std::size_t measurement, double median, results::Interval interval) {
    auto reports = three;
    reports[1].checks[0].measurements[measurement].summary =
        results::Summary{.n = 7, .median = median, .median_interval = interval};
    return refusal(reports);
  };
  EXPECT_EQ(refused(0, 102e9, {61.3e9, 104e9}), "accepted");
  EXPECT_EQ(refused(0, 102e9, {61.1e9, 104e9}),
            "run 2 (host node2, numa 0) knows host_memory.bandwidth only to lie between 61.1 GB/s and 104 GB/s, too "
            "wide for edges; measure again while nothing else runs, or with --tier full");
  EXPECT_EQ(refused(2, 2e-6, {1e-6, 3.3e-6}), "accepted");
  EXPECT_TRUE(refused(2, 2e-6, {1e-6, 3.4e-6}).starts_with("run 2 (host node2) knows host_memory.latency"));
}

TEST(Calibrate, RefusesTooFewSamplesAndNumbersThatCannotBe) {
  auto reports = three;
  reports[1].checks[0].measurements[0].summary = results::Summary{.n = 5, .median = 102e9};
  EXPECT_EQ(refusal(reports),
            "run 2 (host node2, numa 0) has 5 samples of host_memory.bandwidth, too few for edges; measure again with "
            "--tier full");
  reports = three;
  reports[0].checks[0].measurements[0].limit =
      results::Limit{.value = {50e9, Unit::byte_per_second}, .source = "two modules"};
  EXPECT_TRUE(
      refusal(reports).starts_with("run 1 (host node1, numa 0) has a host_memory.bandwidth that is impossible: "))
      << refusal(reports);
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
  const auto profile = calibrate(reports, {.name = "lab"});
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
  EXPECT_EQ(calibrate(std::vector{job}, {.name = "lab"}).expectations[0].count, 2u);
  for (const auto* host : {"node1", "node2"}) {
    auto unequal = job;
    auto third = own.front();
    third.labels = {{"numa", "2"}, {"host", host}};
    unequal.checks[0].measurements.push_back(third);
    EXPECT_EQ(calibrate(std::vector{unequal}, {.name = "lab"}).expectations[0].count, 2u)
        << "what the host that has the fewest has";
  }
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
  EXPECT_EQ(calibrate(reports, {.name = "lab"}).expectations[0].count, 2u);
}

TEST(Calibrate, WhatOnlyJobsOfThreeHostsHaveIsOptional) {
  auto reports = three;
  for (Report& report : reports) {
    auto& measurements = report.checks[0].measurements;
    measurements[0].metric = "ib_bandwidth.received_bandwidth";
    measurements[1].metric = "ib_bandwidth.bandwidth";
  }
  for (const auto& expectation : calibrate(reports, {.name = "lab"}).expectations)
    EXPECT_EQ(expectation.optional, expectation.metric == "ib_bandwidth.received_bandwidth") << expectation.metric;
}

TEST(Calibrate, TheProfileReadsBackAndPassesItsOwnHealthyRuns) {
  const tests::TemporaryFolder folder;
  folder.write("lab.json", to_json(calibrate(three, {.name = "lab"}), "generic"));
  folder.write("generic.json", R"({"name": "generic", "description": "d", "expectations": []})");
  const auto profile = read_profile(folder.path() / "lab.json");
  const Faults faults(tests::source_folder() / "healthcheck" / "faults.json");
  validate(profile, faults);
  for (const auto& report : three) EXPECT_EQ(judge(report, profile, faults).status, Status::pass);
  EXPECT_EQ(judge(healthy("4", 25e9, 100e9, 1e-6), profile, faults).status, Status::fail) << "a fourfold fault";
  EXPECT_EQ(judge(healthy("4", 100e9, 100e9, 8e-6), profile, faults).status, Status::fail) << "a fourfold fault";
}

TEST(Calibrate, RefusesWhatIsNotHealthyOrNotAlike) {
  EXPECT_EQ(refusal({}), "there is no report to calibrate from; name at least one");
  auto reports = three;
  reports[1].status = Status::fail;
  reports[1].summary = "1 check failed";
  EXPECT_EQ(refusal(reports), "run 2 failed (1 check failed); calibrate from healthy runs only");
  reports = three;
  reports[2].hosts[0].fingerprint["cpu_model"] = "EPYC";
  EXPECT_EQ(refusal(reports), "run 3 is of another kind of machine ('EPYC') than run 1 ('Xeon'); calibrate each alone");
  reports = {three[0]};
  reports[0].checks.clear();
  EXPECT_TRUE(refusal(reports).starts_with("these reports hold no bandwidth and no duration"));
  EXPECT_TRUE(refusal(three, {.name = "p", .pass = 0.4, .fail = 0.6}).starts_with("the edges pass 0.4 and fail 0.6"));
}

}  // namespace
}  // namespace muster::healthcheck
