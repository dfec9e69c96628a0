// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/compare/compare_reports.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace muster::healthcheck::compare {
namespace {

using results::CheckRun;
using results::Measurement;
using results::Outcome;
using results::Quantity;
using results::Report;
using results::Status;
using results::Unit;

Measurement rate(const std::string& metric, results::Labels labels, double value, Unit unit = Unit::byte_per_second,
                 double spread = 0.003) {
  results::Summary summary{.n = 12, .median = value, .spread = spread};
  summary.median_interval = results::Interval{value * (1 - spread), value * (1 + spread)};
  return {.metric = metric, .value = Quantity{value, unit}, .labels = std::move(labels), .summary = summary};
}

results::Labels gpu(int number) {
  return {{"gpu", std::to_string(number)}, {"pci", fmt::format("0000:{}0:00.0", number + 1)}};
}

CheckRun run(const std::string& check, std::vector<Measurement> measurements, results::Labels component = {}) {
  CheckRun made{.check = check, .host = "a", .component = std::move(component), .outcome = Outcome::finished};
  made.measurements = std::move(measurements);
  made.status = Status::pass;
  return made;
}

// A machine with four GPUs, a run of gpu_memory for each, and one of gpu_state for all.
Report healthy() {
  Report report{.version = "1", .run_id = "1", .status = Status::pass};
  report.hosts = {{"a", {{"kernel", "6.1"}, {"boot_id", "7"}, {"hostname", "a"}}}};
  std::vector<Measurement> states;
  for (int i = 0; i < 4; ++i) {
    auto labels = gpu(i);
    states.push_back({.metric = "gpu_state.vbios", .value = "96.00", .labels = labels});
    states.push_back({.metric = "gpu_state.uuid", .value = fmt::format("GPU-{}", i), .labels = labels});
    states.push_back({.metric = "gpu_state.temperature", .value = Quantity{40, Unit::celsius}, .labels = labels});
    states.push_back({.metric = "gpu_state.driver_version", .value = "570", .labels = {{"gpu", std::to_string(i)}}});
    labels["kernel"] = "copy";
    report.checks.push_back(
        run("gpu_memory", {rate("gpu_memory.bandwidth", labels, 3e12)}, {{"gpu", std::to_string(i)}}));
  }
  report.checks.push_back(run("gpu_state", std::move(states)));
  report.checks.push_back(run("gpu_copy", {rate("gpu_copy.latency", gpu(0), 3e-6, Unit::second)}));
  return report;
}

Measurement& first_of(Report& report, std::size_t check) { return report.checks[check].measurements.front(); }

void scale(Measurement& measurement, double factor) {
  auto& summary = *measurement.summary;
  for (double* each : {&std::get<Quantity>(measurement.value).value, &summary.median, &summary.median_interval->low,
                       &summary.median_interval->high})
    *each *= factor;
}

const Change& first(const Comparison& comparison, Kind kind) {
  return *std::ranges::find(comparison.changes, kind, &Change::kind);
}

// "worse gpu_memory.bandwidth gpu 1, ...; ...": what people are told of.
std::string named(const Comparison& comparison) {
  std::string text;
  for (const auto& change : comparison.changes) {
    if (change.kind > Kind::changed) continue;
    const auto& name = change.metric.empty() ? change.check : change.metric;
    const auto labels = results::to_text(change.labels);
    text += fmt::format("{}{} {}{}{}{}", text.empty() ? "" : "; ", to_text(change.kind), to_text(change.subject),
                        name.empty() ? "" : " ", name, labels.empty() ? "" : " of " + labels);
  }
  return text;
}

std::string named(const std::function<void(Report&)>& fault) {
  Report other = healthy();
  fault(other);
  return named(comparison_of(healthy(), other));
}

results::Verdict verdict(Status status, const std::string& reason = "it is") {
  return {.status = status, .metric = "gpu_state.vbios", .labels = gpu(1), .value = "96.00", .reason = reason};
}

TEST(CompareReports, OfOneAndTheSameNothingIsNamed) {
  const auto comparison = comparison_of(healthy(), healthy());
  EXPECT_EQ(named(comparison), "");
  EXPECT_EQ(exit_code(comparison), 0);
  EXPECT_EQ(count(comparison, Kind::noise), 5U);
  EXPECT_EQ(comparison.sensitive, 5U);
  EXPECT_TRUE(comparison.differences.empty());
}

TEST(CompareReports, ALossOfFivePercentIsWorseAndAGainIsBetter) {
  EXPECT_EQ(named([](Report& b) { scale(first_of(b, 1), 0.95); }),
            "worse rate gpu_memory.bandwidth of gpu 1, kernel copy, pci 0000:20:00.0");
  EXPECT_EQ(named([](Report& b) { scale(first_of(b, 1), 1.06); }),
            "better rate gpu_memory.bandwidth of gpu 1, kernel copy, pci 0000:20:00.0");
}

TEST(CompareReports, OfATimeMoreIsWorseAsTheCatalogueSays) {
  EXPECT_EQ(named([](Report& b) { scale(first_of(b, 5), 1.06); }),
            "worse rate gpu_copy.latency of gpu 0, pci 0000:10:00.0");
  EXPECT_EQ(named([](Report& b) { scale(first_of(b, 5), 0.94); }),
            "better rate gpu_copy.latency of gpu 0, pci 0000:10:00.0");
}

TEST(CompareReports, WhatNoisySamplesShowIsNoise) {
  auto a = healthy(), b = healthy();
  for (auto* report : {&a, &b})
    first_of(*report, 1) = rate("gpu_memory.bandwidth", first_of(a, 1).labels, 3e12, Unit::byte_per_second, 0.05);
  scale(first_of(b, 1), 0.9);
  const auto comparison = comparison_of(a, b);
  EXPECT_EQ(named(comparison), "");
  EXPECT_EQ(comparison.sensitive, 4U);
}

TEST(CompareReports, TwoPercentAreNeverNamedHoweverQuietTheSamples) {
  EXPECT_EQ(named([](Report& b) { scale(first_of(b, 1), 0.98); }), "");
}

TEST(CompareReports, AMetricWithoutSamplesIsNotDecided) {
  auto b = healthy();
  first_of(b, 1).summary.reset();
  std::get<Quantity>(first_of(b, 1).value).value = 1e12;
  const auto comparison = comparison_of(healthy(), b);
  EXPECT_EQ(named(comparison), "");
  EXPECT_EQ(count(comparison, Kind::undecided), 1U);
  EXPECT_EQ(first(comparison, Kind::undecided).reason, "too few samples in one of them");
}

TEST(CompareReports, ATemperatureIsNotDecided) {
  EXPECT_EQ(named([](Report& b) { b.checks[4].measurements[2].value = Quantity{70, Unit::celsius}; }), "");
}

TEST(CompareReports, WhatLastsAndIsAnotherHasChanged) {
  EXPECT_EQ(named([](Report& b) { b.checks[4].measurements[0].value = "96.01"; }),
            "changed fact gpu_state.vbios of gpu 0, pci 0000:10:00.0");
  EXPECT_EQ(named([](Report& b) { b.hosts[0].fingerprint["kernel"] = "6.2"; }),
            "changed setting inventory.host.kernel");
  EXPECT_EQ(named([](Report& b) { b.hosts[0].fingerprint["boot_id"] = "8"; }), "");
  EXPECT_EQ(named([](Report& b) { b.environment["NCCL_ALGO"] = "Ring"; }), "changed setting NCCL_ALGO");
  EXPECT_EQ(exit_code(comparison_of(healthy(), healthy())), 0);
}

TEST(CompareReports, AnotherSerialNumberIsNewsOfOneMachineAndNoneOfTwo) {
  const auto replace = [](Report& b) { b.checks[4].measurements[1].value = "GPU-9"; };
  EXPECT_EQ(named(replace), "changed fact gpu_state.uuid of gpu 0, pci 0000:10:00.0");
  EXPECT_EQ(named([&](Report& b) {
              replace(b);
              b.hosts[0].name = "b";
              b.hosts[0].fingerprint["hostname"] = "b";
              for (auto& run : b.checks) run.host = "b";
            }),
            "");
}

TEST(CompareReports, ALostGpuIsOnceGoneThoughTheOthersHaveOtherNumbersNow) {
  EXPECT_EQ(named([](Report& b) {
              b.checks.erase(b.checks.begin());
              for (int i = 0; i < 3; ++i) {
                auto& run = b.checks[static_cast<std::size_t>(i)];
                run.component["gpu"] = run.measurements[0].labels["gpu"] = std::to_string(i);
              }
              auto& states = b.checks[3].measurements;
              states.erase(states.begin(), states.begin() + 4);
              for (auto& fact : states) fact.labels["gpu"] = std::to_string(std::stoi(fact.labels["gpu"]) - 1);
              b.checks.back().measurements[0].labels = {{"gpu", "0"}, {"pci", "0000:20:00.0"}};
            }),
            "gone component of gpu 0, pci 0000:10:00.0; new rate gpu_copy.latency of gpu 1, pci 0000:20:00.0");
}

TEST(CompareReports, TwoMachinesAreComparedByTheNamesOfTheirDevicesAndNotByAddress) {
  EXPECT_EQ(named([](Report& b) {
              b.hosts[0] = {"b", {{"kernel", "6.1"}, {"hostname", "b"}}};
              for (auto& run : b.checks) {
                run.host = "b";
                for (auto& fact : run.measurements)
                  if (fact.labels.contains("pci")) fact.labels["pci"].replace(0, 4, "0007");
              }
              scale(first_of(b, 2), 0.9);
            }),
            "worse rate gpu_memory.bandwidth of gpu 2, kernel copy, pci 0000:30:00.0");
}

TEST(CompareReports, ACheckThatIsSkippedNowIsGoneAndOneThatCrashedIsWorse) {
  const auto stop = [](Outcome outcome) {
    return [=](Report& b) {
      b.checks[5].outcome = outcome;
      b.checks[5].measurements.clear();
      b.checks[5].status = Status::unknown;
    };
  };
  EXPECT_EQ(named(stop(Outcome::skipped)), "gone check gpu_copy");
  EXPECT_EQ(named(stop(Outcome::timed_out)), "worse check gpu_copy");
  EXPECT_EQ(named([](Report& b) { b.checks.pop_back(); }), "gone check gpu_copy");
  auto a = healthy();
  stop(Outcome::skipped)(a);
  EXPECT_EQ(named(comparison_of(a, healthy())), "new check gpu_copy");
  stop(Outcome::crashed)(a);
  EXPECT_EQ(named(comparison_of(a, healthy())), "better check gpu_copy");
}

TEST(CompareReports, ARunForAllGpusThatMeasuredNothingStandsForThoseOfEach) {
  EXPECT_EQ(
      named([](Report& b) {
        b.checks.erase(b.checks.begin(), b.checks.begin() + 4);
        b.checks.push_back({.check = "gpu_memory", .host = "a", .outcome = Outcome::skipped, .reason = "not selected"});
      }),
      "gone check gpu_memory of gpu 0; gone check gpu_memory of gpu 1; gone check gpu_memory of gpu 2; "
      "gone check gpu_memory of gpu 3");
}

TEST(CompareReports, ARateThatIsNotMeasuredAnyMoreIsGone) {
  EXPECT_EQ(named([](Report& b) { first_of(b, 1).labels["kernel"] = "triad"; }),
            "gone rate gpu_memory.bandwidth of gpu 1, kernel copy, pci 0000:20:00.0; "
            "new rate gpu_memory.bandwidth of gpu 1, kernel triad, pci 0000:20:00.0");
}

TEST(CompareReports, AFindingIsWorseWhereItIsNewAndBetterWhereItIsSolved) {
  auto a = healthy(), b = healthy();
  a.checks[4].verdicts = {verdict(Status::pass)};
  b.checks[4].verdicts = {verdict(Status::fail)};
  EXPECT_EQ(named(comparison_of(a, b)), "worse finding gpu_state.vbios of gpu 1, pci 0000:20:00.0");
  EXPECT_EQ(named(comparison_of(healthy(), b)), "worse finding gpu_state.vbios of gpu 1, pci 0000:20:00.0");
  EXPECT_EQ(named(comparison_of(b, a)), "better finding gpu_state.vbios of gpu 1, pci 0000:20:00.0");
  EXPECT_EQ(named(comparison_of(b, healthy())), "better finding gpu_state.vbios of gpu 1, pci 0000:20:00.0");
  EXPECT_EQ(named(comparison_of(b, b)), "");
  auto unknown = b;
  unknown.checks[4].verdicts = {verdict(Status::unknown)};
  EXPECT_EQ(named(comparison_of(b, unknown)), "changed finding gpu_state.vbios of gpu 1, pci 0000:20:00.0");
  EXPECT_EQ(named(comparison_of(a, unknown)), "worse finding gpu_state.vbios of gpu 1, pci 0000:20:00.0");
}

TEST(CompareReports, WhatWasNotLookedAtAgainIsNotSolved) {
  auto a = healthy(), b = healthy();
  a.checks[4].verdicts = {verdict(Status::fail)};
  b.checks[4].outcome = Outcome::skipped;
  b.checks[4].measurements.clear();
  EXPECT_EQ(named(comparison_of(a, b)), "gone check gpu_state");
}

TEST(CompareReports, ACounterThatGrewMoreIsLeftToTheProfile) {
  auto a = healthy(), b = healthy();
  for (auto* report : {&a, &b})
    report->checks[4].evidence = {{"pcie_aer.correctable", {{"pci", "0000:10:00.0"}}, 3, 3}};
  b.checks[4].evidence[0].after = 9;
  const auto comparison = comparison_of(a, b);
  EXPECT_EQ(named(comparison), "");
  ASSERT_EQ(count(comparison, Kind::undecided), 1U);
  EXPECT_EQ(*first(comparison, Kind::undecided).after, results::Value(Quantity{6}));
}

TEST(CompareReports, WhatWasAskedForIsToldFirst) {
  auto b = healthy();
  b.profile.name = "mine";
  b.selection.tier = results::Tier::full;
  b.version = "2";
  const auto comparison = comparison_of(healthy(), b);
  EXPECT_EQ(comparison.differences,
            (std::vector<std::string>{"profile (, mine)", "tier (quick, full)", "version of muster (1, 2)"}));
  EXPECT_TRUE(to_text(comparison, {}).starts_with("A and B differ in profile (, mine), tier (quick, full)"));
}

TEST(CompareReports, TheWorstComesFirst) {
  auto b = healthy();
  scale(first_of(b, 1), 0.9);
  scale(first_of(b, 2), 0.8);
  b.checks[5].outcome = Outcome::crashed;
  b.checks[5].measurements.clear();
  b.checks[4].verdicts = {verdict(Status::warn)};
  b.hosts[0].fingerprint["kernel"] = "6.2";
  EXPECT_EQ(
      named(comparison_of(healthy(), b)),
      "worse finding gpu_state.vbios of gpu 1, pci 0000:20:00.0; worse check gpu_copy; "
      "worse rate gpu_memory.bandwidth of gpu 2, kernel copy, pci 0000:30:00.0; "
      "worse rate gpu_memory.bandwidth of gpu 1, kernel copy, pci 0000:20:00.0; changed setting inventory.host.kernel");
}

}  // namespace
}  // namespace muster::healthcheck::compare
