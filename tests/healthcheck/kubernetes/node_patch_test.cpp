// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/node_patch.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;
using StringTable = std::map<std::string, std::string>;

std::string node_text(const StringTable& labels, const StringTable& annotations = {}) {
  return json{{"kind", "Node"}, {"metadata", {{"name", "a"}, {"labels", labels}, {"annotations", annotations}}}}.dump();
}

const NodeLabels wanted{
    .labels = {{"hyperv/A", "1"}}, .annotations = {{"hyperv/A", "1!"}}, .settled = {"hyperv/", "ib/pkey"}};

TEST(NodePatch, ThereIsNoneWhereNothingChanges) {
  EXPECT_EQ(node_patch(node_text({{"hyperv/A", "1"}, {"other", "x"}}, {{"hyperv/A", "1!"}}), wanted), std::nullopt);
  EXPECT_EQ(node_patch(R"({"metadata": {}})", {}), std::nullopt);
}

TEST(NodePatch, AddsWhatIsMissingAndChangesWhatIsOtherwise) {
  for (const auto& present :
       {node_text({}), node_text({{"hyperv/A", "2"}}, {{"hyperv/A", ""}}), std::string(R"({"metadata": {}})")})
    EXPECT_EQ(json::parse(node_patch(present, wanted).value()),
              json::parse(R"({"metadata": {"labels": {"hyperv/A": "1"}, "annotations": {"hyperv/A": "1!"}}})"));
}

TEST(NodePatch, TakesOffWhatIsOfThePastAndNothingElse) {
  const StringTable others{{"hyperv.example/B", "x"}, {"ib/pkeys", "x"}, {"ib/torset", "x"}, {"hyperv", "x"}};
  StringTable present = others;
  present.insert({{"hyperv/A", "1"}, {"hyperv/B", "x"}, {"ib/pkey", "x"}});
  EXPECT_EQ(json::parse(node_patch(node_text(present, {{"hyperv/A", "1!"}}), wanted).value()),
            json::parse(R"({"metadata": {"labels": {"hyperv/B": null, "ib/pkey": null}}})"));
  EXPECT_EQ(node_patch(node_text(present), {}), std::nullopt) << "nothing is settled";
}

TEST(NodePatch, WhatIsNoNodeIsRefused) {
  for (const auto* text : {"", "[]", "{}", R"({"metadata": 1})", R"({"metadata": {"labels": []}})"})
    EXPECT_THROW(node_patch(text, wanted), results::Error) << text;
}

}  // namespace
}  // namespace muster::healthcheck::fleet
