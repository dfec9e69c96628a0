// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/fleet_report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

constexpr auto last_night = "2026-11-25T03:00:00.000Z";

std::chrono::sys_seconds time(std::string_view text) { return results::time_from(text).value(); }

NodeReport of(const std::string& host, Status status = Status::pass, const std::string& started = last_night) {
  NodeReport report{.path = host + "/" + started + ".json", .written = time(started), .is_whole = true, .summary = {}};
  report.summary = {.run_id = host + started, .started = started, .host = host, .host_count = 1, .status = status};
  if (status > Status::pass) report.summary.problems = {{.status = status, .check = "cpu", .host = host}};
  return report;
}

FleetReport fleet(const std::vector<std::string>& expected, std::vector<NodeReport> reports,
                  std::vector<Unreadable> unreadable = {}) {
  return judged({.version = "1", .run_id = "1", .made = "2026-11-25T06:00:00.000Z", .since = "2026-11-25T02:00:00Z"},
                expected, {std::move(reports), std::move(unreadable)});
}

// "gpu-1 fail missing, gpu-2 pass tested"
std::string told(const FleetReport& report) {
  std::string text;
  for (const auto& node : report.nodes)
    text +=
        fmt::format("{}{} {} {}", text.empty() ? "" : ", ", node.name, to_text(node.status), to_text(node.coverage));
  return text;
}

TEST(FleetReport, ThatAllNodesPassedPasses) {
  const auto report = fleet({"b", "a"}, {of("a"), of("b")});
  EXPECT_EQ(told(report), "a pass tested, b pass tested");
  EXPECT_EQ(report.status, Status::pass);
  EXPECT_EQ(report.summary, "of 2 nodes: 2 passed");
}

TEST(FleetReport, IsAsBadAsTheWorstNodeWhichComesFirst) {
  for (const auto status : {Status::warn, Status::unknown, Status::fail}) {
    const auto report = fleet({"a", "b"}, {of("a"), of("b", status)});
    EXPECT_EQ(report.nodes.front().name, "b");
    EXPECT_EQ(report.nodes.front().problems.size(), 1U);
    EXPECT_EQ(report.status, status);
  }
}

TEST(FleetReport, OneLineNamesAWordingOfTheKernelAndHowManyNodesHaveIt) {
  const auto odd = [](const std::string& host, const std::string& wording) {
    auto report = of(host, Status::warn);
    report.summary.problems = {{.status = Status::warn, .check = "kernel_log", .host = host}};
    report.summary.problems.front().labels = {{"wording", wording}};
    return report;
  };
  const auto text =
      to_text(fleet({}, {odd("a", "mlx5_core #: odd"), odd("b", "nvme #: odd"), odd("c", "nvme #: odd")}));
  EXPECT_NE(text.find("THAT MUSTER DOES NOT KNOW\n2 nodes: nvme #: odd\n1 node: mlx5_core #: odd\n"), std::string::npos)
      << text;
  EXPECT_EQ(to_text(fleet({}, {of("a", Status::warn)})).find("DOES NOT KNOW"), std::string::npos);
}

TEST(FleetReport, ANodeWithoutAReportFails) {
  const auto report = fleet({"a", "b"}, {of("a")});
  EXPECT_EQ(told(report), "b fail missing, a pass tested");
  EXPECT_EQ(report.status, Status::fail);
  EXPECT_EQ(report.summary, "of 2 nodes: 1 missing, 1 passed");
  EXPECT_EQ(report.nodes[0].reason, "it left no report");
}

TEST(FleetReport, AReportOfAnotherRunIsNone) {
  const auto report = fleet({"a"}, {of("a", Status::pass, "2026-11-24T03:00:00Z")});
  EXPECT_EQ(told(report), "a fail missing");
  EXPECT_NE(report.nodes[0].reason.find("a/2026-11-24T03:00:00Z.json"), std::string::npos) << report.nodes[0].reason;
  EXPECT_TRUE(fleet({}, {of("b", Status::fail, "2026-11-24T03:00:00Z")}).nodes.empty())
      << "nor of a node that nobody expects";
}

TEST(FleetReport, ANodeThatWasTestedTwiceIsNamedAndHasTheWorstOfBoth) {
  auto report = fleet({"a"}, {of("a"), of("a", Status::pass, "2026-11-25T04:00:00Z")});
  EXPECT_EQ(told(report), "a warn twice");
  EXPECT_EQ(report.nodes[0].reason, "it was tested 2 times");
  report = fleet({"a"}, {of("a", Status::fail), of("a", Status::pass, "2026-11-25T04:00:00Z")});
  EXPECT_EQ(told(report), "a fail twice");
  EXPECT_EQ(report.nodes[0].reports.size(), 2U);
}

TEST(FleetReport, AReportAndItsSummaryAreOneRun) {
  auto summary = of("a");
  summary.is_whole = false;
  summary.path = "summary.json";
  for (const auto& both : {std::vector{of("a"), summary}, std::vector{summary, of("a")}}) {
    const auto report = fleet({"a"}, both);
    EXPECT_EQ(told(report), "a pass tested");
    ASSERT_EQ(report.nodes[0].reports.size(), 1U);
    EXPECT_TRUE(report.nodes[0].reports[0].is_whole);
  }
}

TEST(FleetReport, TwoReportsOfOneRunThatDifferAreBothHeard) {
  auto other = of("a", Status::fail);
  other.path = "other.json";
  for (const auto& both : {std::vector{of("a"), other}, std::vector{other, of("a")}}) {
    const auto report = fleet({"a"}, both);
    EXPECT_EQ(told(report), "a fail twice");
    EXPECT_EQ(report.nodes[0].reports.size(), 2U);
  }
}

TEST(FleetReport, ThatContradictsItselfIsRefused) {
  const auto whole = fleet({"a", "b"}, {of("a", Status::fail)});
  EXPECT_NO_THROW(fleet_report_from_json(to_json(whole)));
  auto better = whole;
  better.status = Status::pass;
  auto found = whole;
  for (auto& node : found.nodes) node.status = Status::pass;
  for (const auto& lie : {better, found}) EXPECT_THROW(fleet_report_from_json(to_json(lie)), results::Error);
}

TEST(FleetReport, ANodeThatNobodyExpectedIsNamed) {
  const auto report = fleet({"a"}, {of("a"), of("b")});
  EXPECT_EQ(told(report), "b warn unexpected, a pass tested");
  EXPECT_EQ(report.status, Status::warn);
  EXPECT_EQ(told(fleet({"a"}, {of("a"), of("b", Status::fail)})), "b fail unexpected, a pass tested");
}

TEST(FleetReport, NamesThatDifferByCaseAreOfOneNode) {
  for (const auto& expected : {std::vector<std::string>{"GPU-b", "gpu-B"}, {"GPU-b", "GPU-b", "gpu-b"}, {"GPU-b"}}) {
    const auto report = fleet(expected, {of("gpu-b")});
    EXPECT_EQ(told(report), "GPU-b pass tested");
    EXPECT_EQ(report.summary, "of 1 node: 1 passed; 1 named otherwise in its report, such as gpu-b for GPU-b");
  }
  const auto later = "2026-11-25T03:30:00.000Z";
  EXPECT_EQ(told(fleet({"gpu-b"}, {of("gpu-b"), of("GPU-B", Status::pass, later)})), "gpu-b warn twice");
  EXPECT_EQ(told(fleet({"a", "A"}, {of("A"), of("a", Status::pass, later)})), "a warn twice");
  EXPECT_EQ(told(fleet({"a"}, {of("a"), of("B"), of("b", Status::pass, later)})), "B warn unexpected, a pass tested");
  EXPECT_EQ(told(fleet({"GPU-b.Site"}, {of("gpu-B")})), "GPU-b.Site pass tested");
  EXPECT_EQ(compared(fleet({"gpu-b"}, {of("gpu-b")}), fleet({"GPU-B"}, {of("GPU-B")})).gone,
            std::vector<std::string>{});
  EXPECT_NE(fleet({"gpu-b"}, {}, {{"reports/GPU-B.json", "it is empty"}}).nodes.front().reason.find("it is empty"),
            std::string::npos);
}

TEST(FleetReport, ANodeThatWasSkippedIsAWarningOfTheFleet) {
  const auto report = fleet({"a", "b"}, {of("a", Status::skip), of("b")});
  EXPECT_EQ(report.status, Status::warn);
  EXPECT_EQ(report.summary, "of 2 nodes: 1 skipped, 1 passed");
}

TEST(FleetReport, WhatCannotBeReadIsUnknown) {
  const auto report = fleet({"a"}, {of("a")}, {{"b.json", "cut"}});
  EXPECT_EQ(report.status, Status::unknown);
  EXPECT_EQ(report.summary, "of 1 node: 1 passed, 1 file that is not a report");
}

TEST(FleetReport, ANodeIsToldOfWhatIsInThePlaceOfItsReport) {
  const std::vector<Unreadable> unreadable{
      {"night/b.json", "cut"}, {"night/c/report.json", "empty"}, {"night/dd.json", "cut"}};
  const auto report = fleet({"a", "b", "c", "d"}, {of("a")}, unreadable);
  std::map<std::string, std::string> reasons;
  for (const auto& node : report.nodes) reasons.emplace(node.name, node.reason);
  EXPECT_EQ(reasons["b"], "it left no report that can be read: night/b.json: cut");
  EXPECT_EQ(reasons["c"], "it left no report that can be read: night/c/report.json: empty");
  EXPECT_EQ(reasons["d"], "it left no report");
}

TEST(FleetReport, OfNobodyIsUnknown) {
  EXPECT_EQ(fleet({}, {}).status, Status::unknown);
  EXPECT_EQ(fleet({}, {}).summary, "of 0 nodes: nothing was to be tested");
}

TEST(FleetReport, AClockThatIsOffIsNamed) {
  auto late = of("a", Status::pass, "2026-11-20T03:00:00Z");
  late.written = time(last_night);
  for (const auto& report : {late, of("a", Status::pass, "2026-11-25T09:00:00Z")}) {
    const auto whole = fleet({"a"}, {report});
    EXPECT_EQ(told(whole), "a unknown tested");
    EXPECT_NE(whole.nodes[0].reason.find("clock is off"), std::string::npos) << whole.nodes[0].reason;
  }
  EXPECT_EQ(told(fleet({"a"}, {of("a", Status::pass, "2026-11-25T06:04:00Z")})), "a pass tested") << "by little";
}

TEST(FleetReport, SaysWhatHasChangedSinceAnother) {
  const auto before = fleet({"a", "b", "c", "d"}, {of("a"), of("b", Status::fail), of("c")});
  const auto report = compared(fleet({"a", "b", "d", "e"}, {of("a", Status::warn), of("b"), of("d"), of("e")}), before);
  std::map<std::string, std::string> states;
  for (const auto& node : report.nodes) states[node.name] = node.before;
  EXPECT_EQ(states, (std::map<std::string, std::string>{{"a", "pass"}, {"b", "fail"}, {"d", "missing"}, {"e", ""}}));
  EXPECT_EQ(report.gone, std::vector<std::string>{"c"});
  EXPECT_TRUE(report.summary.ends_with("; since 2026-11-25T06:00:00.000Z: 1 worse, 2 better, 1 gone"))
      << report.summary;
  EXPECT_NE(to_text(report).find(" (pass before)\n"), std::string::npos) << to_text(report);
  EXPECT_NE(to_text(report).find("\nGONE since 2026-11-25T06:00:00.000Z\nc\n"), std::string::npos) << to_text(report);
  EXPECT_EQ(to_json(fleet_report_from_json(to_json(report))), to_json(report));
  EXPECT_EQ(compared(fleet({"a"}, {of("a")}), before).status, Status::warn) << "nodes are gone";
  EXPECT_EQ(compared(fleet({"a"}, {of("a")}), fleet({"a"}, {of("a")})).status, Status::pass);
  const auto healed = compared(fleet({"a"}, {of("a")}), fleet({"a"}, {of("a", Status::skip)}));
  EXPECT_NE(healed.summary.find("0 worse, 1 better"), std::string::npos) << healed.summary;
}

TEST(FleetReport, IsReadAsItWasWritten) {
  const auto report =
      fleet({"a", "b", "c"}, {of("a", Status::fail), of("b"), of("b", Status::warn, "2026-11-25T05:00:00Z"), of("d")},
            {{"e.json", "cut"}});
  const auto text = to_json(report);
  const auto read = fleet_report_from_json(text);
  EXPECT_EQ(to_json(read), text);
  EXPECT_EQ(to_text(read), to_text(report));
  for (std::size_t size = 0; size + 2 < text.size(); size += 5)
    EXPECT_THROW(fleet_report_from_json(text.substr(0, size)), results::Error);
}

TEST(FleetReport, ShowsWhatIsWrongAndNothingElse) {
  const auto text = to_text(fleet({"good", "bad", "gone"}, {of("good"), of("bad", Status::fail)}, {{"e.json", "cut"}}));
  EXPECT_TRUE(text.starts_with(
      "muster 1 fleet, made 2026-11-25T06:00:00.000Z: FAIL  of 3 nodes: 1 failed, 1 missing, 1 passed, 1 file that"))
      << text;
  EXPECT_NE(text.find("\nMISSING  gone  it left no report\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nFAIL     bad "), std::string::npos) << text;
  EXPECT_NE(text.find("\ne.json: cut\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("good"), std::string::npos) << text;
}

}  // namespace
}  // namespace muster::healthcheck::fleet
