// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/pair_facts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace muster::healthcheck {
namespace {

using results::Measurement;

std::string port_of(const std::string& host) { return host == "b" ? "2" : "1"; }

Measurement between(const std::string& host, const std::string& partner, results::Value value) {
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

Measurement rate_of_pair(const std::string& host, const std::string& partner, double value) {
  return between(host, partner, results::Quantity{value, results::Unit::bit_per_second});
}

// Host and value of each.
std::vector<std::pair<std::string, std::string>> said(const std::vector<Measurement>& facts) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& fact : facts) all.emplace_back(fact.labels.at("host"), results::to_text(fact.value));
  return all;
}

using Said = std::vector<std::pair<std::string, std::string>>;

TEST(WithPartner, OnlyWhatBothAreNamedByIsAName) {
  const results::Labels own = {{"nic", "mlx5_0"}, {"port", "1"}, {"guid", "1"}, {"size", "64 KiB"}};
  const auto both = with_partner(own, {{"nic", "mlx5_1"}, {"port", "2"}, {"guid", "2"}});
  EXPECT_EQ(seen_from_partner(both), (results::Labels{{"nic", "mlx5_1"},
                                                      {"port", "2"},
                                                      {"guid", "2"},
                                                      {"partner_nic", "mlx5_0"},
                                                      {"partner_port", "1"},
                                                      {"partner_guid", "1"},
                                                      {"size", "64 KiB"}}));
  const auto without = with_partner(own, {{"nic", "mlx5_1"}, {"port", "2"}});
  EXPECT_FALSE(without.contains("guid"));
  EXPECT_EQ(seen_from_partner(seen_from_partner(without)), without);
}

TEST(MiddlePairs, ASlowHostSpoilsNoOther) {
  const auto found = middle_pairs({rate_of_pair("a", "b", 9), rate_of_pair("a", "c", 1), rate_of_pair("a", "d", 8),  //
                                   rate_of_pair("c", "a", 1), rate_of_pair("c", "b", 2), rate_of_pair("c", "d", 3)},
                                  "middle", Better::higher);
  EXPECT_EQ(said(found), (Said{{"a", "8 b/s"}, {"c", "2 b/s"}}));
  EXPECT_EQ(found[0].metric, "middle");
  EXPECT_EQ(found[0].labels.at("partner"), "d");
}

TEST(MiddlePairs, OfTwoTheFasterCounts) {
  const std::vector<Measurement> pairs = {rate_of_pair("a", "b", 1), rate_of_pair("a", "c", 9)};
  EXPECT_EQ(said(middle_pairs(pairs, "middle", Better::higher)), (Said{{"a", "9 b/s"}}));
  EXPECT_EQ(said(middle_pairs(pairs, "middle", Better::lower)), (Said{{"a", "1 b/s"}}));
}

TEST(MiddlePairs, OfAnEndThatTooFewSawNothingIsSaid) {
  const auto pairs = {rate_of_pair("a", "b", 1), rate_of_pair("a", "c", 9), rate_of_pair("b", "a", 1)};
  EXPECT_EQ(said(middle_pairs(pairs, "middle", Better::higher, 2)), (Said{{"a", "9 b/s"}}));
}

TEST(MiddlePairs, RailsAreNotMixed) {
  auto other = rate_of_pair("a", "b", 1);
  other.labels["rail"] = "1";
  EXPECT_EQ(middle_pairs({rate_of_pair("a", "b", 9), other}, "middle", Better::higher).size(), 2U);
}

TEST(Culprits, WhoBreaksWithEverybodyIsNamed) {
  const auto found =
      culprits({between("a", "b", "no answer"), between("b", "c", "no answer"), between("d", "b", "gone")}, "broken");
  EXPECT_EQ(said(found), (Said{{"b", "no answer"}}));
  EXPECT_EQ(found[0].labels.at("nic"), "mlx5_b");
  EXPECT_EQ(found[0].labels.at("port"), "2") << "of the end that is blamed";
  EXPECT_EQ(found[0].labels.at("partner"), "a");
}

TEST(Culprits, OfOnePairNobodyCanTell) {
  auto named = between("b", "a", "no answer");
  named.labels.insert({{"guid", "1"}, {"partner_guid", "2"}});
  EXPECT_FALSE(culprits({named}, "broken").at(0).labels.contains("guid")) << "of one of them";
  EXPECT_EQ(said(culprits({between("b", "a", "no answer")}, "broken")), (Said{{"a b", "no answer"}}));
}

}  // namespace
}  // namespace muster::healthcheck
