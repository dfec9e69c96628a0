// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/marks/act.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/system/error.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

TEST(MarkLimit, IsTheLessOfACountAndAShareButOneInAnyCase) {
  EXPECT_EQ((MarkLimit{.count = 3, .share = 0.05}.of(1000)), 3U);
  EXPECT_EQ((MarkLimit{.count = 3, .share = 0.05}.of(40)), 2U);
  EXPECT_EQ((MarkLimit{.count = 3, .share = 0.05}.of(2)), 1U);
  EXPECT_EQ((MarkLimit{.count = 0, .share = 1}.of(2)), 0U);
}

TEST(Planned, OnlyWhoWasTestedAndFailedIsMarked) {
  const auto plan = planned({.run_id = "r",
                             .nodes = {{.name = "bad", .status = Status::fail},
                                       {.name = "gone", .status = Status::fail, .coverage = Coverage::missing},
                                       {.name = "stranger", .status = Status::fail, .coverage = Coverage::unexpected},
                                       {.name = "odd", .status = Status::unknown},
                                       {.name = "busy", .status = Status::skip},
                                       {.name = "good", .status = Status::pass}}},
                            {"gone", "busy", "good", "elsewhere"}, "NoSchedule");
  ASSERT_EQ(plan.to_mark.size(), 1U);
  EXPECT_EQ(plan.to_mark[0].node, "bad");
  EXPECT_EQ(plan.to_mark[0].mark.fault, "failed");
  EXPECT_EQ(plan.anew, 1U);
  EXPECT_EQ(plan.to_unmark, std::vector<std::string>{"good"});
  EXPECT_EQ(plan.to_keep, (std::vector<std::string>{"gone", "busy"}));
}

TEST(Outdated, IsWhatIsOldOrYetToComeOrOfNoTime) {
  const auto now = *results::time_from("2026-11-26T12:00:00Z");
  const auto said = [&](std::string made) { return outdated({.made = std::move(made)}, now, 2); };
  EXPECT_FALSE(said("2026-11-26T10:00:00Z"));
  EXPECT_FALSE(said("2026-11-26T12:04:00Z"));
  EXPECT_EQ(said("2026-11-26T09:59:59Z"), "it was made at 2026-11-26T09:59:59Z, more than 2 h ago");
  EXPECT_EQ(said("2026-11-26T12:06:00Z"), "it was made at 2026-11-26T12:06:00Z, which is yet to come");
  EXPECT_EQ(said(""), "the time when it was made is not known");
}

TEST(Marking, OfWhatIsNoNodeIsRefused) {
  for (const auto* text :
       {"", "[]", "{}", R"({"metadata": {}})", R"({"metadata": {"resourceVersion": "1", "labels": 1}})",
        R"({"metadata": {"resourceVersion": "1"}, "spec": {"taints": {}}})"}) {
    EXPECT_THROW(marking(text, {}), results::Error) << text;
    EXPECT_THROW(unmarking(text), results::Error) << text;
  }
}

TEST(Marking, IsForTheNodeAsItWasRead) {
  const auto patch = marking(R"({"metadata": {"resourceVersion": "41"}})", {.fault = "a b", .effect = "NoExecute"});
  ASSERT_TRUE(patch);
  EXPECT_NE(patch->find(R"("resourceVersion":"41")"), std::string::npos) << *patch;
  EXPECT_NE(patch->find(R"([{"effect":"NoExecute","key":"muster/unfit","value":"a-b"}])"), std::string::npos) << *patch;
  EXPECT_FALSE(unmarking(R"({"metadata": {"resourceVersion": "41"}})"));
}

TEST(Opening, TakesTheOneTaintOffANodeAsItWasRead) {
  const auto patch = opening(
      R"({"metadata": {"resourceVersion": "41"}, "spec": {"taints": [{"key": "muster/untested"}, {"key": "sku"}]}})",
      "muster/untested");
  ASSERT_TRUE(patch);
  EXPECT_EQ(
      nlohmann::json::parse(*patch),
      nlohmann::json::parse(
          R"({"metadata": {"resourceVersion": "41", "labels": {}, "annotations": {}}, "spec": {"taints": [{"key": "sku"}]}})"));
  EXPECT_EQ(opening(R"({"metadata": {"resourceVersion": "41"}})", "muster/untested"), std::nullopt);
  EXPECT_THROW(opening("{}", "muster/untested"), results::Error);
}

}  // namespace
}  // namespace muster::healthcheck::fleet
