// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/job_state.hpp"

#include <gtest/gtest.h>

#include "results/system/error.hpp"
#include "tests/healthcheck/kubernetes/objects.hpp"

namespace muster::tests::fleet {
namespace {

using namespace healthcheck::fleet;

TEST(JobState, OfVolcanoIsRead) {
  const auto job = volcano_job_from_json(volcano_job("Terminated", "PodFailed", "worker failed").dump());
  EXPECT_EQ(job.name, "allreduce-1");
  EXPECT_EQ(job.uid, uid);
  EXPECT_EQ(job.phase, "Terminated");
  EXPECT_EQ(job.reason, "PodFailed");
  EXPECT_EQ(job.message, "worker failed");
  EXPECT_TRUE(job.has_ended);
  EXPECT_FALSE(volcano_job_from_json(volcano_job("Terminating").dump()).has_ended);
}

TEST(JobState, OfACoreJobIsItsLastCondition) {
  const auto job = core_job_from_json(core_job("Failed", "DeadlineExceeded", "too long").dump());
  EXPECT_EQ(job.phase, "Failed");
  EXPECT_EQ(job.reason, "DeadlineExceeded");
  EXPECT_EQ(job.selector, std::string("batch.kubernetes.io/controller-uid=") + uid);
  EXPECT_TRUE(job.has_ended);
  EXPECT_FALSE(core_job_from_json(core_job().dump()).has_ended);
  auto not_yet = core_job("Failed");
  not_yet["status"]["conditions"][1]["status"] = "False";
  EXPECT_FALSE(core_job_from_json(not_yet.dump()).has_ended);
  auto any_pod = core_job();
  any_pod["spec"].erase("selector");
  EXPECT_THROW(core_job_from_json(any_pod.dump()), results::Error);
}

TEST(JobState, OfPodsIsRead) {
  auto one = ready(pod("w-0", "Running", running()));
  one["metadata"]["deletionTimestamp"] = "2026-11-25T18:40:00Z";
  const auto page =
      pods_from_json(pod_list({one, pod("l-0", "Failed", ended(137, "OOMKilled", "text"))}, "token").dump());
  EXPECT_EQ(page.next, "token");
  ASSERT_EQ(page.pods.size(), 2u);
  EXPECT_EQ(page.pods[0].name, "w-0");
  EXPECT_EQ(page.pods[0].owner, uid);
  EXPECT_EQ(page.pods[0].node, "node1");
  EXPECT_TRUE(page.pods[0].is_ready);
  EXPECT_TRUE(page.pods[0].is_deleted);
  EXPECT_TRUE(page.pods[0].containers.at(0).is_running);
  EXPECT_FALSE(page.pods[1].is_ready);
  ASSERT_TRUE(page.pods[1].containers.at(0).ended);
  EXPECT_EQ(page.pods[1].containers[0].ended->exit_code, 137);
  EXPECT_EQ(page.pods[1].containers[0].ended->message, "text");
  EXPECT_EQ(page.pods[1].containers[0].image, "localhost/muster:test");
}

TEST(JobState, OfAPodIsItsControllersOnly) {
  auto stray = pod("w-0", "Running", running());
  stray["metadata"]["ownerReferences"][0]["controller"] = false;
  EXPECT_EQ(pods_from_json(pod_list({stray}).dump()).pods.at(0).owner, "");
}

TEST(JobState, IsOnlyOfObjectsThatAreSuch) {
  const auto read_all = [](const std::string& text) {
    EXPECT_THROW(volcano_job_from_json(text), results::Error) << text;
    EXPECT_THROW(core_job_from_json(text), results::Error) << text;
    EXPECT_THROW(pod_group_from_json(text), results::Error) << text;
    EXPECT_THROW(pods_from_json(text), results::Error) << text;
  };
  for (const auto* text : {"", "{", "null", "[]", "3", "{}", "<html></html>", R"({"kind":"Status","code":404})",
                           R"({"kind":"Job","metadata":{"name":"a"})", "{\"kind\":\"\xff\"}"})
    read_all(text);
  EXPECT_THROW(volcano_job_from_json(R"({"kind":"Job"})"), results::Error);
}

// Every value of every object replaced by one of another type: nothing may crash, and nothing must be believed.
void mutate(Json& root, Json& place, const std::function<void()>& look) {
  for (const Json& odd : {Json(nullptr), Json(-1), Json(1e300), Json("odd"), Json::array({1, "a"}), Json{{"a", 1}}}) {
    const Json before = place;
    place = odd;
    look();
    place = before;
  }
  if (place.is_structured())
    for (Json& child : place) mutate(root, child, look);
}

TEST(JobState, SurvivesFieldsOfTheWrongType) {
  std::size_t looks = 0;
  const auto try_all = [&looks](Json root, const auto& read) {
    mutate(root, root, [&] {
      ++looks;
      try {
        read(root.dump());
      } catch (const results::Error&) {
        return;
      }
    });
  };
  try_all(volcano_job("Running"), volcano_job_from_json);
  try_all(core_job("Failed", "a", "b"), core_job_from_json);
  try_all(pod_group("Pending", "a"), pod_group_from_json);
  try_all(pod_list({pod("a", "Failed", ended(1, "Error", "text")), pod("b", "Pending", waiting("a", "b"))}),
          pods_from_json);
  EXPECT_GT(looks, 500u);
}

TEST(JobState, WhatTheServerSaysIsItsStatus) {
  const auto refusal =
      refusal_from_json(R"({"kind":"Status","message":"pods is forbidden","reason":"Forbidden","code":403})");
  EXPECT_EQ(refusal.message, "pods is forbidden");
  EXPECT_EQ(refusal.reason, "Forbidden");
  for (const auto* text :
       {"", "404 page not found\n", "{}", "[]", R"({"kind":"Job","message":"a"})", R"({"kind":"Status","message":3})"})
    EXPECT_EQ(refusal_from_json(text).message, "") << text;
}

}  // namespace
}  // namespace muster::tests::fleet
