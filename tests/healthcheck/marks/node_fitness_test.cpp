// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/marks/node_fitness.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/values/report.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;
using results::Status;

constexpr auto made = "2026-11-26T12:00:00Z";

FleetNode bad_node() {
  return {
      .name = "a",
      .status = Status::fail,
      .problems = {
          {.status = Status::fail, .metric = "ib_link.state", .reason = "the link is DOWN", .fault = "ib_port_down"}}};
}

TEST(Fitness, OfANodeThatFailedNamesItsWorstFaultInOneWord) {
  const auto told = fitness(bad_node(), made, false).value();
  EXPECT_EQ(told.status, "False");
  EXPECT_EQ(told.reason, "IbPortDown");
  EXPECT_EQ(told.message, "ib_link.state: the link is DOWN");
  EXPECT_EQ(fitness({.name = "a", .status = Status::fail}, made, true).value().reason, "Failed");
}

TEST(Fitness, IsNotTrueOfANodeThatNobodyJudged) {
  const std::vector<std::pair<Status, Coverage>> unknowns = {{Status::unknown, Coverage::tested},
                                                             {Status::fail, Coverage::missing},
                                                             {Status::pass, Coverage::unexpected},
                                                             {Status::skip, Coverage::tested}};
  for (const auto& [status, coverage] : unknowns) {
    const FleetNode node{.name = "a", .status = status, .coverage = coverage};
    EXPECT_EQ(fitness(node, made, false).value().status, "Unknown") << to_text(coverage);
    EXPECT_EQ(fitness(node, made, true), std::nullopt) << "it keeps its mark";
  }
  EXPECT_EQ(fitness({.name = "a", .status = Status::skip, .coverage = Coverage::skipped}, made, false), std::nullopt);
}

TEST(Fitness, IsUnknownWhereItsTimeIsOldOrNone) {
  const auto now = *results::time_from(made);
  NodeCondition told{.status = "True", .told = "2026-11-26T10:00:00Z"};
  EXPECT_EQ(outdated_fitness(told, now, 2), std::nullopt);
  EXPECT_EQ(outdated_fitness(told, now, 1.9).value().status, "Unknown");
  told.told = "yesterday";
  EXPECT_EQ(outdated_fitness(told, now, 2).value().reason, "Outdated");
  told.status = "Unknown";
  EXPECT_EQ(outdated_fitness(told, now, 2), std::nullopt);
}

TEST(ConditionPatch, KeepsTheTimeOfAStatusThatStays) {
  const NodeCondition before{.status = "True", .reason = "Passed", .since = "2026-11-20T00:00:00Z"};
  auto wanted = fitness({.name = "a", .status = Status::pass}, made, false).value();
  const auto condition_in = [](const std::string& patch) { return json::parse(patch)["status"]["conditions"][0]; };
  EXPECT_EQ(condition_in(condition_patch(wanted, before))["lastTransitionTime"], before.since);
  EXPECT_EQ(condition_in(condition_patch(wanted, before))["lastHeartbeatTime"], made);
  wanted.status = "False";
  EXPECT_EQ(condition_in(condition_patch(wanted, before))["lastTransitionTime"], made);
  EXPECT_EQ(json::parse(condition_patch(wanted, before)).size(), 1U) << "nothing but the status";
}

TEST(ConditionPatch, MayHoldAnyText) {
  auto wanted = fitness(bad_node(), made, false).value();
  wanted.message = std::string(5000, 'x') + "\xff\"\n";
  EXPECT_LE(json::parse(condition_patch(wanted, std::nullopt))["status"]["conditions"][0]["message"]
                .get<std::string>()
                .size(),
            1024U);
}

TEST(NodeEvent, HasOneNameForEachRunAndReason) {
  const NodeState node{.name = "gpu-1", .uid = "u"};
  NodeEvent event{.is_warning = true, .reason = "MusterUnfit", .message = "m", .run_id = "Run_1", .time = made};
  const auto name = [&] { return json::parse(to_json(event, node))["metadata"]["name"].get<std::string>(); };
  EXPECT_EQ(name(), "gpu-1.musterunfit-run-1");
  event.message = "another";
  EXPECT_EQ(name(), "gpu-1.musterunfit-run-1");
  event.reason = "MusterFit";
  EXPECT_EQ(name(), "gpu-1.musterfit-run-1");
}

}  // namespace
}  // namespace muster::healthcheck::fleet
