// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "healthcheck/fleet/fleet_peers.hpp"
#include "healthcheck/program/error.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck::fleet {
namespace {

TEST(PeerRules, KnowTheSpreadThatTheProfileStates) {
  const auto shared = tests::source_folder() / "healthcheck";
  const auto rules = peer_rules({.profiles = shared / "profiles", .faults = shared / "faults.json"});
  EXPECT_FALSE(rules.action.empty());
  RateKind kind{
      .profile = "generic", .check = "host_memory", .metric = "host_memory.bandwidth", .labels = {{"kernel", "triad"}}};
  EXPECT_EQ(rules.spread(kind), 0.03);
  kind.profile = "nd96isr_h100_v5";
  EXPECT_EQ(rules.spread(kind), 0.03) << "inherited";
  for (const auto& other :
       {RateKind{.profile = "generic", .check = "host_memory", .metric = kind.metric},
        RateKind{.profile = "of_somebody", .check = kind.check, .metric = kind.metric, .labels = kind.labels},
        RateKind{.profile = "nd96isr_h100_v5",
        .check = "gpu_memory",
        .metric = "gpu_memory.bandwidth",
        .labels = kind.labels}})
    EXPECT_EQ(rules.spread(other), std::nullopt) << other.metric;
}

TEST(PeerRules, KnowTheSpreadOfThatMetricAmongPeers) {
  const tests::TemporaryFolder folder;
  const auto expectation = [](const std::string& metric, const std::string& bound) {
    return fmt::format(
        R"({{"check": "disk_peers", "metric": "disk_peers.{}", "bound": {}, "tier": "quick", "fault": "drive_slow",
            "source": "s", "date": "2026-11-26"}})",
        metric, bound);
  };
  folder.write("ours.json",
               fmt::format(R"({{"name": "ours", "description": "d", "expectations": [{}, {}, {}]}})",
                           expectation("bandwidth", R"("at_least", "unit": "B/s", "pass": 2, "fail": 1, "noise": 0.2)"),
                           expectation("bandwidth", R"("peers", "noise": 0.05)"),
                           expectation("rate", R"("peers", "noise": 0.1)")));
  const auto rules =
      peer_rules({.profiles = folder.path(), .faults = tests::source_folder() / "healthcheck" / "faults.json"});
  RateKind kind{.profile = "ours", .check = "disk_peers", .metric = "disk_peers.bandwidth"};
  EXPECT_EQ(rules.spread(kind), 0.05);
  kind.metric = "disk_peers.rate";
  EXPECT_EQ(rules.spread(kind), 0.1);
}

TEST(PeerRules, ReadOnlyTheProfilesOfReports) {
  const tests::TemporaryFolder folder;
  folder.write("damaged.json", "{");
  folder.write("ours.json", R"({"name": "ours", "description": "d", "expectations": []})");
  const auto rules =
      peer_rules({.profiles = folder.path(), .faults = tests::source_folder() / "healthcheck" / "faults.json"});
  EXPECT_EQ(rules.spread({.profile = "ours", .check = "cpu", .metric = "cpu.frequency"}), std::nullopt);
  EXPECT_THROW(rules.spread({.profile = "damaged", .check = "cpu", .metric = "cpu.frequency"}), UsageError);
}

}  // namespace
}  // namespace muster::healthcheck::fleet
