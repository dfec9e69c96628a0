// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/coverage.hpp"

#include <gtest/gtest.h>

#include "healthcheck/fleet/node_names.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Selection;
using results::Status;
using results::Tier;

FleetNode tested(const std::string& name, const std::string& profile = "nd96isr_h100_v5",
                 const Selection& selection = {}) {
  FleetNode node{.name = name, .status = Status::pass};
  node.profile = profile;
  node.selection = selection;
  node.reports = {{.path = name + ".json", .run_id = name, .started = ""}};
  return node;
}

// Five nodes that were tested alike, and this one.
FleetNode sixth(const FleetNode& node, const WantedCoverage& wanted = {}) {
  std::vector<FleetNode> nodes;
  for (const auto* name : {"a", "b", "c", "d", "e"}) nodes.push_back(tested(name));
  nodes.push_back(node);
  compare_with_coverage(nodes, wanted);
  for (std::size_t other = 0; other < 5; ++other) EXPECT_EQ(nodes[other].status, Status::pass) << nodes[other].reason;
  return nodes.back();
}

TEST(Coverage, ThatIsAsThatOfMostIsEnough) {
  const auto node = sixth(tested("f"));
  EXPECT_EQ(node.status, Status::pass);
  EXPECT_EQ(node.reason, "");
}

struct Less {
  FleetNode node;
  std::string reason;
};

TEST(Coverage, ThatIsLessThanThatOfMostIsAWarningThatNamesTheGap) {
  for (const auto& [node, reason] :
       {Less{tested("f", "generic"), "profile generic instead of nd96isr_h100_v5"},
        Less{tested("f", "nd96isr_h100_v5", {.tier = Tier::preflight}), "tier preflight instead of quick"},
        Less{tested("f", "nd96isr_h100_v5", {.only = {"limits"}}), "only limits ran"},
        Less{tested("f", "nd96isr_h100_v5", {.skip = {"ib_link", "gpu_state"}}), "gpu_state, ib_link did not run"}}) {
    const auto held = sixth(node);
    EXPECT_EQ(held.status, Status::warn);
    EXPECT_EQ(held.coverage, Coverage::tested);
    EXPECT_EQ(held.reason, "it was tested otherwise than most: " + reason);
  }
}

TEST(Coverage, ThatIsMoreThanThatOfMostIsEnough) {
  EXPECT_EQ(sixth(tested("f", "nd96isr_h100_v5", {.tier = Tier::full})).status, Status::pass);
  std::vector<FleetNode> nodes;
  for (const auto* name : {"a", "b", "c"}) nodes.push_back(tested(name, "generic", {.only = {"limits"}}));
  nodes.push_back(tested("d", "generic"));
  compare_with_coverage(nodes, {});
  for (const auto& node : nodes) EXPECT_EQ(node.status, Status::pass) << node.reason;
}

TEST(Coverage, ThatLacksWhatIsWantedIsMissing) {
  auto unfinished = tested("f");
  unfinished.finished = {"limits"};
  EXPECT_EQ(sixth(unfinished, {.checks = {"limits"}}).coverage, Coverage::tested);
  const auto without_state = tested("f", "nd96isr_h100_v5", {.skip = {"gpu_state"}});
  EXPECT_EQ(sixth(without_state, {.checks = {"limits"}}).coverage, Coverage::tested);
  for (const auto& [node, wanted] : {std::pair(tested("f", "generic"), WantedCoverage{.profile = "nd96isr_h100_v5"}),
                                     {tested("f", "nd96isr_h100_v5", {.tier = Tier::preflight}), {.tier = Tier::quick}},
                                     {unfinished, {.checks = {"limits", "gpu_state"}}},
                                     {without_state, {.checks = {"limits", "gpu_state"}}}}) {
    const auto held = sixth(node, wanted);
    EXPECT_EQ(held.coverage, Coverage::missing);
    EXPECT_EQ(held.status, Status::fail);
    EXPECT_NE(held.reason.find("it was not tested as is wanted: "), std::string::npos) << held.reason;
  }
}

TEST(Coverage, OfASummaryThatDoesNotTellIsNotCompared) {
  auto old = tested("f");
  old.selection.reset();
  EXPECT_EQ(sixth(old).status, Status::pass);
  EXPECT_EQ(sixth(old, {.tier = Tier::quick}).coverage, Coverage::missing);
}

TEST(NodeNames, OfAnotherCaseOrWithADomainAreMatched) {
  using Names = std::map<std::string, std::string>;
  EXPECT_EQ(other_names({"aks-gpu-1-vmss00000a"}, {"aks-gpu-1-vmss00000A"}),
            (Names{{"aks-gpu-1-vmss00000a", "aks-gpu-1-vmss00000A"}}));
  EXPECT_EQ(other_names({"vm.example.com"}, {"vm"}), (Names{{"vm.example.com", "vm"}}));
  EXPECT_EQ(other_names({"vm"}, {"VM.example.com"}), (Names{{"vm", "VM.example.com"}}));
}

TEST(NodeNames, OfWhichTwoCouldBeMeantAreNotMatched) {
  EXPECT_TRUE(other_names({"vm"}, {"vm.a.example", "vm.b.example"}).empty());
  EXPECT_TRUE(other_names({"vm.a.example", "vm.b.example"}, {"vm"}).empty());
  EXPECT_TRUE(other_names({"vm.a.example"}, {"vm.b.example"}).empty());
  EXPECT_TRUE(other_names({"VM", "vm"}, {"vm"}).empty()) << "whose own name that is";
  EXPECT_TRUE(other_names({"gpu-1"}, {"gpu-10"}).empty());
}

}  // namespace
}  // namespace muster::healthcheck::fleet
