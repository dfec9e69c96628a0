// SPDX-License-Identifier: Apache-2.0
#include "tests/healthcheck/kubernetes/objects.hpp"

namespace muster::tests::fleet {
namespace {

constexpr auto started_at = "2026-11-25T18:30:00Z";

Json controller() {
  return {{"apiVersion", "batch.volcano.sh/v1alpha1"},
          {"kind", "Job"},
          {"name", "allreduce-1"},
          {"uid", uid},
          {"blockOwnerDeletion", true},
          {"controller", true}};
}

Json condition(std::string_view type, std::string_view status, std::string_view reason = "",
               std::string_view message = "") {
  Json json = {{"type", type}, {"status", status}, {"lastTransitionTime", started_at}};
  if (!reason.empty()) json["reason"] = reason;
  if (!message.empty()) json["message"] = message;
  return json;
}

Json metadata(const std::string& name) {
  return {{"name", name},
          {"namespace", "bench"},
          {"uid", uid},
          {"resourceVersion", "771"},
          {"creationTimestamp", started_at}};
}

}  // namespace

Json volcano_job(std::string_view phase, std::string_view reason, std::string_view message) {
  Json state = {{"lastTransitionTime", started_at}, {"phase", phase}};
  if (!reason.empty()) state["reason"] = reason;
  if (!message.empty()) state["message"] = message;
  return {{"apiVersion", "batch.volcano.sh/v1alpha1"},
          {"kind", "Job"},
          {"metadata", metadata("allreduce-1")},
          {"spec", {{"minAvailable", 2}, {"queue", "default"}, {"schedulerName", "volcano"}}},
          {"status",
           {{"conditions", Json::array({{{"lastTransitionTime", started_at}, {"status", phase}}})},
            {"minAvailable", 2},
            {"state", state},
            {"taskStatusCount", {{"launcher", {{"phase", {{"Running", 1}}}}}}}}}};
}

Json core_job(std::string_view type, std::string_view reason, std::string_view message) {
  Json json = {
      {"apiVersion", "batch/v1"},
      {"kind", "Job"},
      {"metadata", metadata("allreduce-1")},
      {"spec", {{"backoffLimit", 0}, {"selector", {{"matchLabels", {{"batch.kubernetes.io/controller-uid", uid}}}}}}},
      {"status", {{"startTime", started_at}}}};
  if (!type.empty()) {
    json["status"]["conditions"] = Json::array({condition("FailureTarget", "True", "Other", "a condition before it")});
    json["status"]["conditions"].push_back(condition(type, "True", reason, message));
  }
  return json;
}

Json pod_group(std::string_view phase, std::string_view unschedulable) {
  Json json = {{"apiVersion", "scheduling.volcano.sh/v1beta1"},
               {"kind", "PodGroup"},
               {"metadata", metadata("allreduce-1-" + std::string(uid))},
               {"spec",
                {{"minMember", 2},
                 {"queue", "nightly"},
                 {"minResources", {{"nvidia.com/gpu", "16"}, {"requests.nvidia.com/gpu", "16"}, {"pods", "2"}}}}},
               {"status", {{"phase", phase}, {"conditions", Json::array()}}}};
  if (!unschedulable.empty())
    json["status"]["conditions"].push_back(condition("Unschedulable", "True", "NotEnoughResources", unschedulable));
  return json;
}

Json pod(const std::string& name, std::string_view phase, const Json& state) {
  const Json container = {
      {"name", "muster"}, {"image", "localhost/muster:test"}, {"imageID", ""}, {"ready", false}, {"restartCount", 0},
      {"state", state},   {"lastState", Json::object()}};
  Json json = {{"metadata", metadata(name)},
               {"spec", {{"nodeName", "node1"}, {"restartPolicy", "Never"}}},
               {"status", {{"phase", phase}}}};
  json["status"]["conditions"] = {condition("PodScheduled", "True"), condition("Ready", "False", "ContainersNotReady")};
  json["status"]["containerStatuses"] = Json::array({container});
  json["metadata"]["ownerReferences"] = Json::array({controller()});
  return json;
}

Json pod_list(const std::vector<Json>& pods, std::string_view next) {
  Json json = {{"apiVersion", "v1"}, {"kind", "PodList"}, {"metadata", {{"resourceVersion", "900"}}}, {"items", pods}};
  if (!next.empty()) json["metadata"]["continue"] = next;
  return json;
}

Json running() { return {{"running", {{"startedAt", started_at}}}}; }

Json waiting(std::string_view reason, std::string_view message) {
  Json json = {{"reason", reason}};
  if (!message.empty()) json["message"] = message;
  return {{"waiting", json}};
}

Json ended(int exit_code, std::string_view reason, std::string_view message) {
  Json json = {{"exitCode", exit_code}, {"reason", reason}, {"startedAt", started_at}, {"finishedAt", started_at}};
  if (!message.empty()) json["message"] = message;
  return {{"terminated", json}};
}

Json ready(Json pod) {
  pod["status"]["conditions"][1] = condition("Ready", "True");
  pod["status"]["containerStatuses"][0]["ready"] = true;
  return pod;
}

Json without_node(Json pod, std::string_view message) {
  pod["spec"].erase("nodeName");
  pod["status"].erase("containerStatuses");
  pod["status"]["conditions"] = Json::array({condition("PodScheduled", "False", "Unschedulable", message)});
  return pod;
}

std::string summary(std::string_view status) {
  const Json json = {{"schema", 1},
                     {"tool", {{"name", "muster"}, {"version", "0.1.0"}}},
                     {"run_id", "b0f7c7a8"},
                     {"started", started_at},
                     {"host", "allreduce-1-launcher-0"},
                     {"host_count", 2},
                     {"profile", "generic"},
                     {"status", status},
                     {"summary", "2 hosts: as it says"},
                     {"report", {{"path", "muster-report.json"}, {"sha256", std::string(64, 'a')}}},
                     {"problems", Json::array()},
                     {"omitted", 0}};
  return json.dump() + "\n";
}

}  // namespace muster::tests::fleet
