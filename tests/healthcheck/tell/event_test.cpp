// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/event.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "healthcheck/program/error.hpp"
#include "tests/healthcheck/fleet/fleet_with.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

FleetNode told_node(const std::string& name, Status status, const std::string& reason = "it is slow") {
  FleetNode node{.name = name, .status = status};
  if (status > Status::pass)
    node.problems = {{.status = status, .check = "cpu", .metric = "cpu.speed", .reason = reason, .fault = "cpu_slow"}};
  return node;
}

TEST(FleetEvent, HasWhoDidNotPassAndWhy) {
  auto missing = told_node("gpu-3", Status::fail);
  missing.coverage = Coverage::missing;
  missing.problems.clear();
  missing.reason = "it left no report";
  const auto event = event_of(fleet_with({told_node("gpu-1", Status::fail), missing, told_node("gpu-2", Status::warn),
                                          told_node("gpu-4", Status::pass)}),
                              "/here");
  EXPECT_EQ(event.id, "f");
  EXPECT_EQ(event.nodes, 4U);
  EXPECT_EQ(event.counts.at("fail"), 1U);
  EXPECT_EQ(event.counts.at("missing"), 1U);
  ASSERT_EQ(event.unwell.size(), 3U);
  EXPECT_EQ(event.unwell[0].reason, "cpu.speed: it is slow");
  EXPECT_EQ(event.unwell[1].reason, "it left no report");
  EXPECT_EQ(event.unwell[1].state, "missing");
  EXPECT_EQ(event.left_out, 0U);
}

TEST(FleetEvent, OfAnyFleetIsSmallerThanCloudEventsAllow) {
  std::vector<FleetNode> nodes;
  for (int i = 0; i < 5000; ++i)
    nodes.push_back(told_node(std::string(70000, '"') + std::to_string(i), Status::fail, std::string(70000, '\\')));
  auto report = fleet_with(std::move(nodes));
  report.summary = std::string(70000, '"');
  const auto text = to_json(event_of(report, "/here"));
  EXPECT_LT(text.size(), 64000U);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["data"]["nodes"].size(), most_told_nodes);
  EXPECT_EQ(json["data"]["left_out"], 5000 - most_told_nodes);
  EXPECT_EQ(json["data"]["node_count"], 5000);
}

TEST(FleetEvent, RefusesWhatCannotStandInAHeader) {
  for (const auto* id : {"", "a b", "a\r\nX-Evil: 1", "caf\xc3\xa9", "a\"b"}) {
    auto report = fleet_with({});
    report.run_id = id;
    EXPECT_THROW(event_of(report, "/here"), UsageError) << id;
  }
  for (const auto* source : {"", "a b", "a\r\nb", "<x>", "\xc3\xa9"})
    EXPECT_THROW(event_of(fleet_with({}), source), UsageError) << source;
}

TEST(FleetEvent, NeedsTheTimeOfItsReport) {
  for (const auto* made : {"", "yesterday"}) {
    auto report = fleet_with({});
    report.made = made;
    EXPECT_THROW(event_of(report, "/here"), UsageError) << made;
  }
}

}  // namespace
}  // namespace muster::healthcheck::fleet
