// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/fleet_peers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/fleet/node_report.hpp"
#include "healthcheck/marks/act.hpp"
#include "results/json/report_json.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Measurement;
using results::Status;
using results::Unit;

constexpr auto night = "2026-11-25T03:00:00.000Z";

Measurement sampled(const std::string& metric, double value, results::Labels labels, Unit unit) {
  return {.metric = metric,
          .value = results::Quantity{value, unit},
          .labels = std::move(labels),
          .summary = results::Summary{.n = 9, .median = value}};
}

// A node with eight GPUs, by the factor of the rates of each.
results::Report node(const std::string& name, const std::vector<double>& factors = std::vector<double>(8, 1)) {
  results::Report report{.version = "1", .run_id = name, .started = night, .profile = {.name = "nd96isr_h100_v5"}};
  report.hosts = {{.name = name, .fingerprint = {{"cpu_model", "Xeon"}, {"gpu_model", "H100"}}}};
  report.status = Status::pass;
  for (std::size_t gpu = 0; gpu < factors.size(); ++gpu) {
    const double even = 1 + 0.001 * static_cast<double>((gpu + static_cast<std::size_t>(name.back())) % 5);
    const double rate = 2e12 * even * factors[gpu];
    report.checks.push_back({.check = "gpu_memory",
                             .host = name,
                             .component = {{"gpu", std::to_string(gpu)}},
                             .outcome = results::Outcome::finished,
                             .status = Status::pass,
                             .verdicts = {{.status = Status::pass}}});
    for (const auto* kernel : {"copy", "triad"})
      report.checks.back().measurements.push_back(
          sampled("gpu_memory.bandwidth", rate, {{"kernel", kernel}, {"host", name}}, Unit::byte_per_second));
  }
  return report;
}

std::string name_of(std::size_t number) { return fmt::format("gpu-{:04}", number); }

std::vector<results::Report> nodes(std::size_t count) {
  std::vector<results::Report> all;
  for (std::size_t number = 0; number < count; ++number) all.push_back(node(name_of(number)));
  return all;
}

FleetReport collected(const std::vector<results::Report>& reports, const PeerRules& rules = {},
                      bool as_summary = false) {
  NodeReportReader readers[2];
  readers[1].read(results::to_json(node("with others", {1, 1, 1, 1, 1, 1, 1, 1, 1})));
  Found found;
  std::vector<std::string> expected;
  for (const auto& report : reports) {
    const auto json = as_summary ? results::summary_json(report, "r.json", "it") : results::to_json(report);
    auto& reader = readers[expected.size() % 2];
    auto read = reader.read(json).value();
    const Renumbering numbers(reader.texts(), found.texts);
    numbers.apply(read.rates);
    numbers.apply(read.checks);
    found.reports.push_back({.path = report.run_id,
                             .is_whole = read.is_whole,
                             .summary = std::move(read.summary),
                             .rates = std::move(read.rates),
                             .checks = std::move(read.checks)});
    expected.push_back(report.hosts[0].name);
  }
  return judged({.version = "1", .run_id = "1", .made = "2026-11-25T06:00:00.000Z", .since = "2026-11-25T02:00:00Z"},
                expected, std::move(found), rules);
}

// Of all nodes, "gpu-0017 gpu 3, kernel copy"
std::vector<std::string> accused(const FleetReport& report) {
  std::vector<std::string> all;
  for (const auto& each : report.nodes)
    for (const auto& problem : each.problems)
      if (problem.fault == slower_than_peers) all.push_back(problem.host + " " + results::to_text(problem.labels));
  return all;
}

TEST(FleetPeers, OfAHealthyFleetAccuseNobody) {
  const auto report = collected(nodes(1000));
  EXPECT_EQ(report.status, Status::pass);
  EXPECT_EQ(accused(report), std::vector<std::string>{});
  EXPECT_EQ(report.peers.nodes, 1000U);
  EXPECT_EQ(report.peers.values, 16000U);
  EXPECT_TRUE(report.peers.divided.empty());
  EXPECT_TRUE(to_text(report).ends_with("16000 values of 1000 nodes were held against other nodes of their kind\n"));
}

TEST(FleetPeers, TellHowValuesLieAndWhoIsOut) {
  auto fleet = nodes(100);
  fleet[17] = node(name_of(17), {1, 1, 1, 0.88, 1, 1, 1, 1});
  const auto report = collected(fleet);
  EXPECT_EQ(report.checks, std::vector<std::string>{"gpu_memory"});
  EXPECT_EQ(report.nodes[0].checks, "w") << "what peers say counts";
  EXPECT_EQ(report.nodes[1].checks, "p");
  ASSERT_EQ(report.metrics.size(), 2U) << "copy and triad";
  const auto& spread = report.metrics[0];
  EXPECT_EQ(spread.nodes, 100U);
  EXPECT_EQ(spread.values, 800U);
  EXPECT_DOUBLE_EQ(spread.quantiles.front(), spread.outliers.at(0).value);
  EXPECT_NEAR(spread.quantiles[4], 2.004e12, 1e9);
  ASSERT_EQ(spread.slow, 1U);
  EXPECT_EQ(spread.outliers[0].node, "gpu-0017");
  EXPECT_EQ(spread.outliers[0].component, (results::Labels{{"gpu", "3"}}));
}

TEST(FleetPeers, NameTheComponentThatIsSlowAndHowToLookAgain) {
  auto fleet = nodes(1000);
  fleet[17] = node(name_of(17), {1, 1, 1, 0.88, 1, 1, 1, 1});
  const auto report = collected(fleet, {.action = "Look again."});
  EXPECT_EQ(accused(report), std::vector<std::string>{"gpu-0017 gpu 3, kernel copy"});
  EXPECT_EQ(report.status, Status::warn);
  EXPECT_EQ(report.summary, "of 1000 nodes: 1 warned, 999 passed");
  ASSERT_EQ(report.nodes[0].name, "gpu-0017") << "worst first";
  EXPECT_EQ(report.nodes[0].status, Status::warn);
  const auto& problem = report.nodes[0].problems.at(0);
  EXPECT_EQ(problem.status, Status::warn);
  EXPECT_EQ(problem.check, "gpu_memory");
  EXPECT_EQ(problem.metric, "gpu_memory.bandwidth");
  EXPECT_EQ(problem.action, "Look again.");
  EXPECT_EQ(problem.reason,
            "1.77 TB/s is 12 % below the median 2 TB/s of 7992 others; muster node --only gpu_memory looks again (2 of "
            "its rates and times are slow)");
  EXPECT_NE(to_text(report).find("WARN  gpu-0017  gpu_memory.bandwidth gpu 3, kernel copy: 1.77 TB/s is 12 % below"),
            std::string::npos)
      << to_text(report);
}

TEST(FleetPeers, AreReadAsTheyWereWritten) {
  auto fleet = nodes(40);
  fleet[3] = node(name_of(3), {1, 1, 1, 0.5, 1, 1, 1, 1});
  for (std::size_t number = 10; number < 20; ++number) fleet[number] = node(name_of(number), std::vector(8, 0.8));
  const auto report = collected(fleet);
  EXPECT_EQ(report.peers.divided.size(), 2U);
  const auto text = to_json(report);
  const auto read = fleet_report_from_json(text);
  EXPECT_EQ(to_json(read), text);
  EXPECT_EQ(to_text(read), to_text(report));
  EXPECT_NE(to_text(report).find("gpu_memory.bandwidth kernel copy: of 320 values more than a tenth are slow"),
            std::string::npos)
      << to_text(report);
}

TEST(FleetPeers, AreNotDrawnFromSummaries) {
  auto fleet = nodes(30);
  fleet[3] = node(name_of(3), std::vector(8, 0.5));
  const auto report = collected(fleet, {}, true);
  EXPECT_EQ(report.status, Status::pass);
  EXPECT_EQ(report.peers.values, 0U);
  EXPECT_EQ(to_text(report).find("held against"), std::string::npos) << "nothing that is not so";
}

TEST(FleetPeers, AreOfOneKind) {
  const auto slow = [](std::size_t number) { return node(name_of(number), std::vector(8, 0.8)); };
  for (const std::size_t what : {0U, 1U, 2U, 3U, 4U, 5U}) {
    auto fleet = nodes(100);
    for (std::size_t number = 0; number < 6; ++number) {
      auto& other = fleet[number] = slow(number);
      if (what == 1) other.profile.name = "nd96isr_h200_v5";
      if (what == 2) other.hosts[0].fingerprint["gpu_model"] = "H100 PCIe";
      if (what == 3) other.hosts[0].fingerprint["cpu_model"] = "EPYC";
      if (what == 4) other.selection.tier = results::Tier::full;
      for (auto& run : other.checks)
        for (auto& each : run.measurements)
          if (what == 5) each.labels["size"] = "1 MiB";
    }
    EXPECT_EQ(accused(collected(fleet)).size(), what == 0 ? 48U : 0U) << what;
  }
}

TEST(FleetPeers, AreWhatWasSampledByFirstLooksThatFinished) {
  for (const std::size_t what : {0U, 1U, 2U, 3U, 4U}) {
    auto fleet = nodes(30);
    for (auto& report : fleet)
      for (auto& run : report.checks) {
        if (what == 1) run.attempt = 2;
        if (what == 2) {
          run.outcome = results::Outcome::timed_out;
          run.status = Status::unknown;
          run.verdicts = {{.status = Status::unknown}};
          report.status = Status::unknown;
        }
        for (auto& each : run.measurements) {
          if (what == 3) each.summary.reset();
          if (what == 4) std::get<results::Quantity>(each.value).unit = Unit::one;
        }
      }
    EXPECT_EQ(collected(fleet).peers.values, what == 0 ? 480U : 0U) << what;
  }
}

TEST(FleetPeers, TakeTheLastReportOfANodeThatWasTestedTwice) {
  auto fleet = nodes(30);
  fleet.push_back(node(name_of(3), std::vector(8, 0.5)));
  fleet.back().run_id = "again";
  fleet.back().started = "2026-11-25T04:00:00.000Z";
  EXPECT_EQ(accused(collected(fleet)).size(), 8U);
  std::swap(fleet[3].started, fleet.back().started);
  EXPECT_EQ(accused(collected(fleet)).size(), 0U);
  fleet[3].started = "2026-11-23T04:00:00.000Z";
  EXPECT_EQ(accused(collected(fleet)).size(), 8U) << "one of another run does not count";
}

TEST(FleetPeers, NameEachComponentOnceAndNoMoreThanEightOfANode) {
  auto fleet = nodes(30);
  fleet[3] = node(name_of(3), std::vector(11, 0.5));
  const auto report = collected(fleet);
  EXPECT_EQ(accused(report).size(), 8U);
  EXPECT_EQ(report.nodes[0].omitted, 3U);
  fleet[3] = node(name_of(3), {0.8, 1, 0.5, 1, 1, 1, 1, 1});
  EXPECT_EQ(accused(collected(fleet)),
            (std::vector<std::string>{"gpu-0003 gpu 2, kernel copy", "gpu-0003 gpu 0, kernel copy"}))
      << "worst first";
}

TEST(FleetPeers, NameTheWorstValueOfAComponent) {
  for (const std::size_t worst : {0U, 1U}) {
    auto fleet = nodes(30);
    fleet[3] = node(name_of(3), {0.5, 1, 1, 1, 1, 1, 1, 1});
    auto& fact = fleet[3].checks[0].measurements[worst];
    fact.summary->median = std::get<results::Quantity>(fact.value).value *= 0.8;
    EXPECT_EQ(accused(collected(fleet)),
              std::vector<std::string>{worst == 0 ? "gpu-0003 gpu 0, kernel copy" : "gpu-0003 gpu 0, kernel triad"});
  }
}

TEST(FleetPeers, OfTooFewAreNone) {
  auto fleet = nodes(4);
  fleet[3] = node(name_of(3), std::vector(8, 0.5));
  const auto report = collected(fleet);
  EXPECT_EQ(report.status, Status::pass);
  EXPECT_EQ(report.peers.nodes, 0U);
  EXPECT_EQ(report.peers.values, 0U);
}

TEST(FleetPeers, NameTheComponentHoweverManyLabelsThereAre) {
  auto fleet = nodes(30);
  fleet[3] = node(name_of(3), {1, 1, 1, 0.5, 1, 1, 1, 1});
  for (auto& report : fleet)
    for (auto& run : report.checks)
      for (auto& each : run.measurements)
        for (const auto* label : {"a", "b", "c", "d", "e", "f"}) each.labels[label] = "x";
  EXPECT_EQ(accused(collected(fleet)), std::vector<std::string>{"gpu-0003 a x, b x, c x, d x, e x, gpu 3"});
}

TEST(FleetPeers, StandAfterWhatIsWorse) {
  auto fleet = nodes(30);
  fleet[3] = node(name_of(3), std::vector(8, 0.5));
  fleet[3].status = fleet[3].checks[0].status = Status::fail;
  fleet[3].checks[0].verdicts = {
      {.status = Status::fail, .metric = "gpu_memory.wrong_words", .reason = "r", .fault = "f"}};
  const auto report = collected(fleet);
  EXPECT_EQ(report.nodes[0].status, Status::fail);
  EXPECT_EQ(report.nodes[0].problems.size(), 9U);
  EXPECT_EQ(report.nodes[0].problems[0].fault, "f");
}

TEST(FleetPeers, MarkNoNode) {
  auto fleet = nodes(30);
  fleet[3] = node(name_of(3), std::vector(8, 0.1));
  const auto report = collected(fleet);
  ASSERT_EQ(report.nodes[0].status, Status::warn);
  const auto plan = planned(report, {name_of(3)}, "NoSchedule");
  EXPECT_TRUE(plan.to_mark.empty());
  EXPECT_EQ(plan.to_unmark, std::vector{name_of(3)}) << "as any node that only warns";
}

TEST(FleetPeers, HoldTheSpreadThatIsStated) {
  auto fleet = nodes(30);
  fleet[3] = node(name_of(3), {1, 1, 1, 0.88, 1, 1, 1, 1});
  EXPECT_EQ(accused(collected(fleet)).size(), 1U);
  EXPECT_EQ(accused(collected(fleet, {.spread =
                                          [](const RateKind& kind) {
                                            EXPECT_EQ(kind.profile, "nd96isr_h100_v5");
                                            return 0.04;
                                          }}))
                .size(),
            0U);
}

}  // namespace
}  // namespace muster::healthcheck::fleet
