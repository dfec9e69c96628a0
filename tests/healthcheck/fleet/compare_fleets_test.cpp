// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/compare_fleets.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

FleetNode node_of(const std::string& name, Status status = Status::pass, const std::string& fault = "") {
  FleetNode made{.name = name, .status = status, .profile = "generic"};
  if (!fault.empty())
    made.problems = {{.status = status,
                      .check = "ib_link",
                      .host = name,
                      .metric = "ib_link.state",
                      .labels = {{"host", name}, {"nic", "mlx5_0"}},
                      .reason = "DOWN",
                      .fault = fault}};
  return made;
}

FleetNode missing(const std::string& name) {
  return {.name = name, .status = Status::fail, .coverage = Coverage::missing, .reason = "it left no report"};
}

FleetNode skipped(const std::string& name) {
  return {.name = name, .status = Status::skip, .coverage = Coverage::skipped, .reason = "it was busy"};
}

FleetReport fleet_of(std::vector<FleetNode> nodes) {
  return {.version = "1", .run_id = "1", .nodes = std::move(nodes)};
}

// "worse node a pass fail, ..."
std::string told(const FleetReport& a, const FleetReport& b) {
  std::string text;
  for (const auto& change : comparison_of(a, b).changes)
    text += fmt::format("{}{} {} {} {} {}", text.empty() ? "" : "; ", to_text(change.kind), to_text(change.subject),
                        change.host, change.before ? results::to_text(*change.before) : "-",
                        change.after ? results::to_text(*change.after) : "-");
  return text;
}

TEST(CompareFleets, OfTwoNightsAlikeNothingIsNamed) {
  const auto one = fleet_of({node_of("a"), node_of("b", Status::fail, "ib_port_down"), missing("c"), skipped("d")});
  EXPECT_EQ(told(one, one), "");
  EXPECT_EQ(exit_code(comparison_of(one, one)), 0);
}

TEST(CompareFleets, NodesAreWorseBetterNewOrGone) {
  const auto a = fleet_of({node_of("a"), node_of("b", Status::fail, "ib_port_down"), node_of("c")});
  const auto b = fleet_of({node_of("A", Status::fail, "ib_port_down"), node_of("b"), node_of("d")});
  EXPECT_EQ(told(a, b), "worse node A pass fail; gone node c pass -; new node d - pass; better node b fail pass");
  EXPECT_EQ(exit_code(comparison_of(a, b)), 1);
}

TEST(CompareFleets, ANodeThatIsMissingIsWorseAndOneThatIsSkippedIsGone) {
  EXPECT_EQ(told(fleet_of({node_of("a")}), fleet_of({missing("a")})), "worse node a pass missing");
  EXPECT_EQ(told(fleet_of({node_of("a", Status::fail)}), fleet_of({missing("a")})), "worse node a fail missing");
  EXPECT_EQ(told(fleet_of({node_of("a")}), fleet_of({skipped("a")})), "gone node a pass skipped");
  EXPECT_EQ(told(fleet_of({skipped("a")}), fleet_of({node_of("a")})), "new node a skipped pass");
  EXPECT_EQ(told(fleet_of({skipped("a")}), fleet_of({node_of("a", Status::fail)})), "worse node a skipped fail");
}

TEST(CompareFleets, ANewNodeThatFailsIsWorse) {
  EXPECT_EQ(told(fleet_of({}), fleet_of({node_of("a", Status::fail, "ib_port_down")})), "worse node a - fail");
}

TEST(CompareFleets, OfANodeThatStillFailsTheFindingsAreCompared) {
  auto a = fleet_of({node_of("a", Status::fail, "ib_port_down")}), b = a;
  b.nodes[0].problems[0].metric = "ib_link.rate";
  EXPECT_EQ(told(a, b), "worse finding a - fail; better finding a fail -");
  b.nodes[0].omitted = a.nodes[0].omitted = 1;
  EXPECT_EQ(told(a, b), "");
}

TEST(CompareFleets, ADividedKindAndAFileThatIsNoReportAreNamed) {
  auto b = fleet_of({node_of("a")});
  b.peers.divided = {{.profile = "generic", .metric = "disk_io.rate", .reason = "a tenth is slow"}};
  b.unreadable = {{"x.json", "it is empty"}};
  EXPECT_EQ(told(fleet_of({node_of("a")}), b), "worse finding  - -; worse file x.json - -");
  EXPECT_EQ(told(b, fleet_of({node_of("a")})), "better finding  - -; better file x.json - -");
}

TEST(CompareFleets, AnotherProfileOfANodeIsAChange) {
  auto b = fleet_of({node_of("a")});
  b.nodes[0].profile = "mine";
  EXPECT_EQ(told(fleet_of({node_of("a")}), b), "changed setting a generic mine");
}

}  // namespace
}  // namespace muster::healthcheck::fleet
