// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/decide.hpp"

#include <gtest/gtest.h>

#include "tests/healthcheck/kubernetes/objects.hpp"

namespace muster::tests::fleet {
namespace {

using healthcheck::fleet::blocking_reason;
using healthcheck::fleet::decide;
using healthcheck::fleet::JobState;
using healthcheck::fleet::permanent_reason;
using results::Status;
using Words = std::vector<std::string>;

constexpr auto launcher_name = "allreduce-1-launcher-0";

void expect_words(const std::string& sentence, const Words& words) {
  for (const auto& word : words)
    EXPECT_NE(sentence.find(word), std::string::npos) << word << " is not in: " << sentence;
}

std::vector<healthcheck::fleet::Pod> read(const std::vector<Json>& pods) {
  return healthcheck::fleet::pods_from_json(pod_list(pods).dump()).pods;
}

JobState state(const Json& job, const std::vector<Json>& launchers, const std::vector<Json>& workers = {}) {
  const bool is_volcano = job["apiVersion"] != "batch/v1";
  const auto text = job.dump();
  return {.job = is_volcano ? healthcheck::fleet::volcano_job_from_json(text)
                            : healthcheck::fleet::core_job_from_json(text),
          .launchers = read(launchers),
          .workers = read(workers)};
}

JobState state(const Json& job, const std::vector<Json>& launchers, const std::vector<Json>& workers,
               const Json& group) {
  auto all = state(job, launchers, workers);
  all.group = healthcheck::fleet::pod_group_from_json(group.dump());
  return all;
}

Json launcher(std::string_view phase, const Json& container) { return pod(launcher_name, phase, container); }

Json worker(int index, std::string_view phase, const Json& container) {
  return pod("allreduce-1-worker-" + std::to_string(index), phase, container);
}

Json evicted(std::string_view reason, std::string_view message) {
  Json pod = launcher("Failed", ended(137, "ContainerStatusUnknown"));
  pod["status"]["reason"] = reason;
  pod["status"]["message"] = message;
  return pod;
}

Json deleted(Json pod) {
  pod["metadata"]["deletionTimestamp"] = "2026-11-25T18:40:00Z";
  return pod;
}

// A launcher that ended, with what it left.
struct Left {
  std::string message;
  int exit_code;
  Status status;
};

TEST(Decide, AVerdictIsTheLaunchersWhateverTheJobSays) {
  const std::vector<Left> all{{summary("pass"), 0, Status::pass},
                              {summary("warn"), 0, Status::warn},
                              {summary("fail"), 1, Status::fail},
                              {summary("unknown"), 3, Status::unknown},
                              {summary("skip"), 3, Status::skip}};
  for (const auto& left : all) {
    const auto pod =
        launcher(left.exit_code == 0 ? "Succeeded" : "Failed", ended(left.exit_code, "Error", left.message));
    for (const auto* phase :
         {"Running", "Completing", "Completed", "Terminating", "Terminated", "Failed", "Aborted", ""}) {
      const auto verdict = decide(state(volcano_job(phase), {pod}, {worker(0, "Running", running())}));
      ASSERT_TRUE(verdict) << phase;
      EXPECT_EQ(verdict->status, left.status) << phase;
      EXPECT_EQ(verdict->summary, left.message);
      EXPECT_EQ(verdict->sentence, "2 hosts: as it says");
    }
    EXPECT_EQ(decide(state(core_job("Failed", "BackoffLimitExceeded"), {pod}))->status, left.status);
  }
}

TEST(Decide, WhatIsNoWholeSummaryIsUnknown) {
  const std::string good = summary("pass");
  for (const std::string& message : {good.substr(0, good.size() / 2), good.substr(10), good + good, std::string("pass"),
                                     std::string(R"({"status": "pass"})"), std::string("null"), std::string("{}"),
                                     std::string("mpirun noticed that process rank 1 exited on signal 9")}) {
    const auto verdict =
        decide(state(volcano_job("Completed"), {launcher("Succeeded", ended(0, "Completed", message))}));
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->status, Status::unknown) << message;
    EXPECT_EQ(verdict->summary, "");
    expect_words(verdict->sentence, {launcher_name, "not a summary of muster"});
  }
  const auto silent = decide(state(volcano_job("Completed"), {launcher("Succeeded", ended(0, "Completed"))}));
  EXPECT_EQ(silent->status, Status::unknown);
  expect_words(silent->sentence, {launcher_name, "no termination message"});
}

TEST(Decide, AGoodSummaryOfALauncherThatCameToHarmIsUnknown) {
  for (const auto* status : {"pass", "warn"}) {
    const auto verdict =
        decide(state(volcano_job("Running"), {launcher("Failed", ended(137, "OOMKilled", summary(status)))}));
    EXPECT_EQ(verdict->status, Status::unknown);
    EXPECT_EQ(verdict->summary, summary(status));
    expect_words(verdict->sentence, {launcher_name, status, "OOMKilled, exit code 137"});
  }
  auto odd = launcher("Succeeded", ended(0, "Completed", summary("pass")));
  odd["status"]["containerStatuses"][0]["state"]["terminated"].erase("exitCode");
  EXPECT_EQ(decide(state(volcano_job("Completed"), {odd}))->status, Status::unknown);
}

struct Silent {
  Json pod;
  Words words;
};

TEST(Decide, ALauncherWithoutASummaryIsUnknownWithItsReason) {
  const std::vector<Silent> all{
      {launcher("Failed", ended(137, "OOMKilled")), {"OOMKilled, exit code 137"}},
      {launcher("Failed", ended(2, "Error", "muster launch: unknown option")), {"exit code 2", "unknown option"}},
      {launcher("Failed", ended(128, "StartError", "exec: \"mustr\": not found")), {"StartError", "mustr"}},
      {evicted("Evicted", "The node was low on resource: memory."), {"Evicted: The node was low on resource: memory."}},
      {evicted("DeadlineExceeded", "Pod was active on the node longer than the specified deadline"),
       {"DeadlineExceeded: Pod was active"}},
      {evicted("NodeShutdown", "Pod was terminated in response to imminent node shutdown."), {"NodeShutdown"}},
  };
  for (const auto& each : all) {
    const auto verdict = decide(state(volcano_job("Running"), {each.pod}));
    ASSERT_TRUE(verdict) << each.words.front();
    EXPECT_EQ(verdict->status, Status::unknown);
    EXPECT_EQ(verdict->summary, "");
    expect_words(verdict->sentence, {launcher_name, "without a verdict"});
    expect_words(verdict->sentence, each.words);
  }
}

TEST(Decide, ALauncherWithoutASummaryNamesTheWorkersThatFailed) {
  const auto verdict =
      decide(state(volcano_job("Running"), {launcher("Failed", ended(255, "Error"))},
                   {ready(worker(0, "Running", running())), worker(1, "Failed", ended(137, "OOMKilled"))}));
  expect_words(verdict->sentence, {"allreduce-1-worker-1 failed", "OOMKilled"});
  EXPECT_EQ(verdict->sentence.find("worker-0"), std::string::npos);
}

TEST(Decide, AJobThatEndedWithoutALauncherIsUnknown) {
  for (const auto* phase : {"Completed", "Failed", "Terminated", "Aborted"}) {
    const auto verdict = decide(state(volcano_job(phase, "PodFailed", "worker failed"), {}));
    ASSERT_TRUE(verdict) << phase;
    EXPECT_EQ(verdict->status, Status::unknown);
    expect_words(verdict->sentence, {phase, "PodFailed: worker failed", "no launcher pod"});
  }
  for (const auto* condition : {"Complete", "Failed"}) {
    const auto verdict = decide(state(core_job(condition, "DeadlineExceeded", "Job was active too long"), {}));
    ASSERT_TRUE(verdict) << condition;
    EXPECT_EQ(verdict->status, Status::unknown);
    expect_words(verdict->sentence, {condition, "DeadlineExceeded: Job was active too long"});
  }
}

TEST(Decide, WhileSomethingMayStillComeItWaits) {
  for (const auto* phase : {"", "Pending", "Running", "Completing", "Terminating", "Aborting", "Restarting"}) {
    EXPECT_FALSE(decide(state(volcano_job(phase), {}))) << phase;
    EXPECT_FALSE(decide(state(volcano_job(phase), {launcher("Running", running())}))) << phase;
  }
  EXPECT_FALSE(decide(state(core_job(), {})));
  EXPECT_FALSE(decide(state(core_job("Suspended"), {})));
  EXPECT_FALSE(decide(state(core_job("FailureTarget"), {})));
  EXPECT_FALSE(decide(state(volcano_job("Terminated"), {launcher("Running", running())})));
  EXPECT_FALSE(decide(state(volcano_job("Running"), {launcher("Pending", waiting("ContainerCreating"))})));
  EXPECT_FALSE(decide(state(volcano_job("Running"), {launcher("Failed", running())})));  // its status is on its way
}

TEST(Decide, ALauncherBesideASidecarIsHeardWhenItEnds) {
  auto pod = launcher("Running", ended(1, "Error", summary("fail")));
  auto sidecar = launcher("Running", running())["status"]["containerStatuses"][0];
  pod["status"]["containerStatuses"].insert(pod["status"]["containerStatuses"].begin(), sidecar);
  EXPECT_EQ(decide(state(volcano_job("Running"), {pod}))->status, Status::fail);
  pod["status"]["containerStatuses"][1]["state"] = ended(1, "Error");
  EXPECT_FALSE(decide(state(volcano_job("Running"), {pod})));
}

TEST(Decide, TheSummaryOfAnInitContainerIsNoVerdict) {
  auto pod = launcher("Failed", waiting("PodInitializing"));
  pod["status"]["initContainerStatuses"] =
      launcher("Failed", ended(0, "Completed", summary("pass")))["status"]["containerStatuses"];
  EXPECT_EQ(decide(state(volcano_job("Running"), {pod}))->status, Status::unknown);
}

TEST(Decide, OfSeveralLaunchersTheNewestCounts) {
  auto old = launcher("Succeeded", ended(0, "Completed", summary("pass")));
  auto young = pod("allreduce-1-x7k2p", "Running", running());
  young["metadata"]["creationTimestamp"] = "2026-11-25T18:31:00Z";
  EXPECT_FALSE(decide(state(core_job(), {old, young})));
  EXPECT_FALSE(decide(state(core_job(), {young, old})));
}

// A job that goes nowhere, and what must be said of it.
struct Stuck {
  std::string name;
  JobState state;
  Words words;
  bool is_hopeless = false;
};

void PrintTo(const Stuck& stuck, std::ostream* out) { *out << stuck.name; }

std::vector<Stuck> all_stuck() {
  const auto pending = volcano_job("Pending");
  const auto gang = "2/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable";
  const auto node_says = "0/2 nodes are unavailable: 2 Insufficient nvidia.com/gpu.";
  const auto one = worker(0, "Pending", waiting("ContainerCreating"));
  auto init = worker(0, "Pending", waiting("PodInitializing"));
  init["status"]["initContainerStatuses"] =
      worker(0, "Pending", waiting("InvalidImageName", "bad"))["status"]["containerStatuses"];
  auto lost = ready(worker(1, "Running", running()));
  lost["status"]["conditions"][1]["status"] = "False";
  auto long_list = std::vector<Json>(5, worker(0, "Pending", waiting("ImagePullBackOff", "Back-off pulling image")));
  auto unseen = state(pending, {});
  unseen.unseen = "a right is missing: podgroups is forbidden";
  return {
      {"not_admitted",
       state(pending, {}, {}, pod_group("Pending")),
       {"queue nightly has no room for nvidia.com/gpu 16"}},
      {"gang", state(pending, {}, {}, pod_group("Pending", gang)), {"job allreduce-1 is Pending", gang}},
      {"gang_and_pod",
       state(pending, {}, {without_node(one, node_says)}, pod_group("Inqueue", gang)),
       {gang, node_says, "worker-0"}},
      {"no_node", state(core_job(), {without_node(launcher("Pending", {}), node_says)}), {launcher_name, node_says}},
      {"old_condition",
       state(pending, {}, {one}, pod_group("Running", gang)),
       {"worker-0 is Pending (ContainerCreating) and not ready"}},
      {"never_pull",
       state(pending, {}, {worker(0, "Pending", waiting("ErrImageNeverPull", "Container image is not present"))}),
       {"ErrImageNeverPull: Container image is not present", "worker-0", "localhost/muster:test", "container muster"},
       true},
      {"invalid_name",
       state(pending, {launcher("Pending", waiting("InvalidImageName", "couldn't parse image name"))}),
       {"InvalidImageName: couldn't parse image name", launcher_name},
       true},
      {"init", state(pending, {}, {init}), {"InvalidImageName: bad"}, true},
      {"back_off",
       state(pending, {}, {worker(0, "Pending", waiting("ImagePullBackOff", "Back-off pulling image"))}),
       {"ImagePullBackOff: Back-off pulling image"}},
      {"pull",
       state(pending, {}, {worker(0, "Pending", waiting("ErrImagePull", "not found"))}),
       {"ErrImagePull: not found"}},
      {"config",
       state(pending, {}, {worker(0, "Pending", waiting("CreateContainerConfigError", "secret \"a\" not found"))}),
       {"CreateContainerConfigError: secret \"a\" not found"}},
      {"many", state(pending, {}, long_list), {"and 2 more"}},
      {"unready",
       state(pending, {}, {worker(0, "Running", running()), ready(worker(1, "Running", running()))}),
       {"worker-0 is Running and not ready"}},
      {"worker_failed",
       state(volcano_job("Running"), {ready(launcher("Running", running()))}, {worker(1, "Failed", ended(1, "Error"))}),
       {"worker-1 failed", "exit code 1"}},
      {"node_lost",
       state(volcano_job("Running"), {ready(launcher("Running", running()))}, {lost}),
       {"worker-1 is lost", "node1"}},
      {"pod_unknown",
       state(volcano_job("Running"), {launcher("Unknown", running())}),
       {launcher_name, "is lost", "node1"}},
      {"still_runs",
       state(volcano_job("Running"), {ready(launcher("Running", running()))}),
       {launcher_name, "on node node1 still runs"}},
      {"deleted",
       state(volcano_job("Aborting"), {ready(deleted(launcher("Running", running())))}),
       {"is being deleted"}},
      {"unseen", unseen, {"no launcher pod", "podgroups is forbidden"}},
      {"suspended",
       state(core_job("Suspended", "JobSuspended", "Job suspended"), {}),
       {"Suspended: JobSuspended: Job suspended"}},
      {"new", state(volcano_job(""), {}), {"without a phase", "no launcher pod"}},
  };
}

class Obstacles : public testing::TestWithParam<Stuck> {};

TEST_P(Obstacles, are_named) {
  const auto& stuck = GetParam();
  EXPECT_FALSE(decide(stuck.state));
  expect_words(blocking_reason(stuck.state), stuck.words);
  EXPECT_EQ(permanent_reason(stuck.state).has_value(), stuck.is_hopeless);
}

INSTANTIATE_TEST_SUITE_P(jobs, Obstacles, testing::ValuesIn(all_stuck()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace muster::tests::fleet
