// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/compare/matches.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace muster::healthcheck::compare {
namespace {

results::Report report_of(const std::vector<std::string>& hosts) {
  results::Report report;
  for (const auto& host : hosts) report.hosts.push_back({host, {}});
  return report;
}

// What a host of B is called in A; empty where labels go without it.
std::string host_in_a(const Names& names, const std::string& host) {
  const auto labels = names.in_b({{"host", host}});
  return labels.empty() ? "" : labels.begin()->second;
}

// "0-1 1-0 -2": numbers in A and in B.
std::string matched(const std::vector<results::Labels>& a, const std::vector<results::Labels>& b) {
  const auto places = [](const std::vector<results::Labels>& all) {
    std::vector<Place> made;
    for (const auto& labels : all) made.push_back({"x", "x.rate", labels});
    return made;
  };
  std::string text;
  for (const auto& match : matches(places(a), places(b)))
    text += fmt::format("{}{}-{}", text.empty() ? "" : " ", match.a ? std::to_string(*match.a) : "",
                        match.b ? std::to_string(*match.b) : "");
  return text;
}

TEST(Names, HostsOfAJobAreKnownByNameAndOthersByTheirPlace) {
  const Names same(report_of({"h1", "h2", "h3"}), report_of({"h3", "h1", "h2"}));
  EXPECT_EQ(host_in_a(same, "h1"), "h1");
  EXPECT_TRUE(same.is_same_machine());
  const Names other(report_of({"h1", "h2", "h3"}), report_of({"h1", "h9", "h3"}));
  EXPECT_EQ(host_in_a(other, "h9"), "h2");
  EXPECT_FALSE(other.is_same_machine());
}

TEST(Names, OfOneHostEachThereIsNoNeedToNameIt) {
  const Names names(report_of({"h1"}), report_of({"H1"}));
  EXPECT_EQ(host_in_a(names, "H1"), "");
  EXPECT_TRUE(names.is_same_machine()) << "letters of a host's name have no case";
}

TEST(Matches, TheSameLabelsComeFirstAndAddressesDoNotMatterElse) {
  EXPECT_EQ(matched({{{"gpu", "0"}, {"pci", "a"}}}, {{{"gpu", "0"}, {"pci", "b"}}, {{"gpu", "0"}, {"pci", "a"}}}),
            "0-1 -0");
  EXPECT_EQ(matched({{{"gpu", "0"}, {"pci", "a"}}}, {{{"gpu", "0"}, {"pci", "b"}}}), "0-0");
  EXPECT_EQ(matched({{{"pattern", "read"}, {"path", "/a"}}}, {{{"pattern", "read"}, {"path", "/b"}}}), "0-0");
}

TEST(Matches, WhatCouldBeEitherOfTwoIsNeither) {
  EXPECT_EQ(matched({{{"pci", "a"}}}, {{{"pci", "b"}}, {{"pci", "c"}}}), "0- -0 -1");
}

TEST(Matches, EqualOnesAreMatchedInTheirOrder) {
  EXPECT_EQ(matched({{{"gpu", "0"}}, {{"gpu", "0"}}}, {{{"gpu", "0"}}, {{"gpu", "0"}}}), "0-0 1-1");
}

}  // namespace
}  // namespace muster::healthcheck::compare
