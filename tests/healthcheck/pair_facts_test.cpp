// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/pair_facts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace muster::healthcheck {
namespace {

using results::Measurement;

std::string port_of(const std::string& host) { return host == "b" ? "2" : "1"; }

Measurement pair(const std::string& host, const std::string& partner, results::Value value) {
  return {.metric = "pair",
          .value = std::move(value),
          .labels = {{"host", host},
                     {"partner", partner},
                     {"rail", "0"},
                     {"nic", "mlx5_" + host},
                     {"partner_nic", "mlx5_" + partner},
                     {"port", port_of(host)},
                     {"partner_port", port_of(partner)}}};
}

Measurement rate(const std::string& host, const std::string& partner, double value) {
  return pair(host, partner, results::Quantity{value, results::Unit::bit_per_second});
}

// Host and value of each.
std::vector<std::pair<std::string, std::string>> said(const std::vector<Measurement>& facts) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& fact : facts) all.emplace_back(fact.labels.at("host"), results::to_text(fact.value));
  return all;
}

using Said = std::vector<std::pair<std::string, std::string>>;

TEST(MiddlePairs, ASlowHostSpoilsNoOther) {
  const auto found = middle_pairs({rate("a", "b", 9), rate("a", "c", 1), rate("a", "d", 8),  //
                                   rate("c", "a", 1), rate("c", "b", 2), rate("c", "d", 3)},
                                  "middle");
  EXPECT_EQ(said(found), (Said{{"a", "8 b/s"}, {"c", "2 b/s"}}));
  EXPECT_EQ(found[0].metric, "middle");
  EXPECT_EQ(found[0].labels.at("partner"), "d");
}

TEST(MiddlePairs, OfTwoTheFasterCounts) {
  EXPECT_EQ(said(middle_pairs({rate("a", "b", 1), rate("a", "c", 9)}, "middle")), (Said{{"a", "9 b/s"}}));
}

TEST(MiddlePairs, OfAnEndThatTooFewSawNothingIsSaid) {
  const auto pairs = {rate("a", "b", 1), rate("a", "c", 9), rate("b", "a", 1)};
  EXPECT_EQ(said(middle_pairs(pairs, "middle", 2)), (Said{{"a", "9 b/s"}}));
}

TEST(MiddlePairs, RailsAreNotMixed) {
  auto other = rate("a", "b", 1);
  other.labels["rail"] = "1";
  EXPECT_EQ(middle_pairs({rate("a", "b", 9), other}, "middle").size(), 2U);
}

TEST(Culprits, WhoBreaksWithEverybodyIsNamed) {
  const auto found =
      culprits({pair("a", "b", "no answer"), pair("b", "c", "no answer"), pair("d", "b", "gone")}, "broken");
  EXPECT_EQ(said(found), (Said{{"b", "no answer"}}));
  EXPECT_EQ(found[0].labels.at("nic"), "mlx5_b");
  EXPECT_EQ(found[0].labels.at("port"), "2") << "of the end that is blamed";
  EXPECT_EQ(found[0].labels.at("partner"), "a");
}

TEST(Culprits, OfOnePairNobodyCanTell) {
  EXPECT_EQ(said(culprits({pair("b", "a", "no answer")}, "broken")), (Said{{"a b", "no answer"}}));
}

}  // namespace
}  // namespace muster::healthcheck
