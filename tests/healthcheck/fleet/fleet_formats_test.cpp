// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/render/fleet_formats.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string>

#include "healthcheck/program/error.hpp"
#include "tests/healthcheck/fleet/fleet_with.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

FleetNode node_called(const std::string& name, Status status) {
  FleetNode node{.name = name, .status = status, .profile = "generic"};
  node.reports = {{.path = fmt::format("reports/{}.json", name),
                   .run_id = "r",
                   .started = "2026-11-25T03:00:00Z",
                   .status = status,
                   .is_whole = true}};
  if (status > Status::pass)
    node.problems = {{.status = status,
                      .check = "ib_link",
                      .host = name,
                      .metric = "ib_link.state",
                      .labels = {{"nic", "mlx5_0"}, {"host", name}},
                      .count = 2,
                      .reason = "=DOWN instead of ACTIVE",
                      .fault = "ib_port_down",
                      .action = "reseat the cable"}};
  return node;
}

FleetReport three_nodes() {
  auto missing = node_called("gpu-3", Status::fail);
  missing.coverage = Coverage::missing;
  missing.reason = "it left no report";
  missing.reports.clear();
  missing.problems.clear();
  auto report = fleet_with({node_called("gpu-1", Status::fail), missing, node_called("gpu-2", Status::pass)});
  report.metrics = {{.profile = "generic",
                     .machine = "m",
                     .metric = "ib_latency.latency",
                     .nodes = 2,
                     .values = 2,
                     .slow = 1,
                     .outliers = {{.node = "gpu-2", .component = {{"host", "gpu-2"}}, .value = 9}}}};
  return report;
}

TEST(FleetFormats, AFileBeginsAsItsFormSays) {
  for (const auto& form : fleet_forms())
    EXPECT_TRUE(rendered(form.name, three_nodes(), {}).starts_with(form.begins)) << form.name;
}

TEST(FleetFormats, JunitHasASuiteForEachNode) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(rendered("junit", three_nodes(), {}).c_str()));
  const auto root = document.child("testsuites");
  EXPECT_STREQ(root.attribute("tests").value(), "3");
  EXPECT_STREQ(root.attribute("failures").value(), "2");
  EXPECT_STREQ(root.first_child().attribute("name").value(), "gpu-1");
  EXPECT_STREQ(root.last_child().child("testcase").attribute("name").value(), "fit for duty");
}

TEST(FleetFormats, ANodeWithoutReportFailsInCtrf) {
  const auto json = nlohmann::json::parse(rendered("ctrf", three_nodes(), {}));
  EXPECT_EQ(json["results"]["tests"][1]["message"], "it left no report");
  EXPECT_EQ(json["results"]["tests"][1]["status"], "failed");
}

TEST(FleetFormats, CsvRunsNothing) {
  const auto text = rendered("csv", three_nodes(), {});
  EXPECT_NE(text.find(",\"'=DOWN instead of ACTIVE\",ib_port_down,"), text.npos) << text;
  EXPECT_NE(text.find("node,gpu-2,pass,tested,"), text.npos) << text;
}

TEST(FleetFormats, OfANodeThereAreAtMostTenSeries) {
  auto report = three_nodes();
  for (int at = 0; at < 40; ++at) {
    auto problem = report.nodes[0].problems[0];
    problem.fault = fmt::format("fault_{}", at);
    report.nodes[0].problems.push_back(problem);
  }
  const auto text = rendered("openmetrics", report, {});
  std::size_t series = 0;
  for (auto at = text.find("host=\"gpu-1\""); at != text.npos; at = text.find("host=\"gpu-1\"", at + 1)) ++series;
  EXPECT_EQ(series, 10U);
  EXPECT_NE(text.find("muster_fleet_nodes{state=\"missing\"} 1\n"), text.npos) << text;
  EXPECT_NE(text.find("muster_node_status{host=\"gpu-3\"} 4\n"), text.npos) << text;
}

TEST(FleetFormats, TicketsAreOfNodesThatFail) {
  const auto text = rendered("ticket", three_nodes(), {});
  EXPECT_NE(text.find("muster ticket: gpu-1 FAIL"), text.npos) << text;
  EXPECT_NE(text.find("muster ticket: gpu-3 FAIL\n  it left no report"), text.npos) << text;
  EXPECT_EQ(text.find("gpu-2"), text.npos) << text;
  EXPECT_EQ(rendered("ticket", fleet_with({}), {}), "muster ticket: none, for none of 0 nodes fails\n");
}

TEST(FleetFormats, OneNodeIsShownAndJudgedAlone) {
  const auto one = of_node(three_nodes(), "gpu-2");
  EXPECT_EQ(one.status, Status::pass);
  EXPECT_EQ(one.nodes.size(), 1U);
  EXPECT_NE(rendered("ticket", one, {}).find("muster ticket: gpu-2 PASS"), std::string::npos);
  EXPECT_NO_THROW(fleet_report_from_json(rendered("json", one, {})));
  EXPECT_THROW(of_node(three_nodes(), "gpu-4"), UsageError);
}

TEST(FleetFormats, RedactedHasNoNames) {
  results::View view;
  view.redact = true;
  for (const auto& format : fleet_format_names()) {
    const auto text = rendered(format, three_nodes(), view);
    for (const auto* name : {"gpu-1", "gpu-2", "gpu-3"}) EXPECT_EQ(text.find(name), text.npos) << format << text;
  }
  EXPECT_NO_THROW(fleet_report_from_json(rendered("json", three_nodes(), view)));
  EXPECT_TRUE(of_node(three_nodes(), "gpu-1").metrics.empty()) << "of other nodes";
}

TEST(FleetFormats, HostileNamesBreakNothing) {
  for (const std::string hostile : {"<script>\"&'", "\x01\x1b[31m", "\xff\xfe", "a\nb", "=1+1", ""}) {
    auto report = three_nodes();
    report.nodes[0].name = hostile;
    report.nodes[0].problems[0].reason = std::string(1 << 16, 'x') + hostile;
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(rendered("junit", report, {}).c_str()));
    EXPECT_TRUE(nlohmann::json::accept(rendered("ctrf", report, {})));
    for (const auto& format : fleet_format_names()) EXPECT_FALSE(rendered(format, report, {}).empty());
  }
}

}  // namespace
}  // namespace muster::healthcheck::fleet
