// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "healthcheck/kubernetes/job_state.hpp"
#include "results/json/parsed_json.hpp"
#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Json = nlohmann::json;

// Null when there is no such field.
const Json& at(const Json& json, const char* name) {
  static const Json none;
  const auto field = json.is_object() ? json.find(name) : json.end();
  return field == json.end() ? none : *field;
}

std::string text_at(const Json& json, const char* name) {
  const Json& field = at(json, name);
  return field.is_string() ? field.get<std::string>() : std::string();
}

bool is_true(const Json& json, const char* name) { return at(json, name) == true; }

// The elements of an array; none of anything else.
const Json& list(const Json& json, const char* name) {
  static const Json none = Json::array();
  const Json& field = at(json, name);
  return field.is_array() ? field : none;
}

Json object_of_kind(std::string_view json, std::string_view kind) {
  Json parsed = results::parsed(json);
  if (text_at(parsed, "kind") != kind)
    throw results::Error("the API server answered no " + std::string(kind) + " but a '" + text_at(parsed, "kind") +
                         "'");
  return parsed;
}

// Null when there is no such condition.
const Json& condition(const Json& status, std::string_view type, std::string_view value) {
  static const Json none;
  for (const Json& each : list(status, "conditions"))
    if (text_at(each, "type") == type && text_at(each, "status") == value) return each;
  return none;
}

Job heading(const Json& json) {
  Job job;
  job.name = text_at(at(json, "metadata"), "name");
  job.uid = text_at(at(json, "metadata"), "uid");
  if (job.uid.empty()) throw results::Error("the API server answered a Job without a uid");
  return job;
}

std::string selector(const Json& spec) {
  const Json& labels = at(at(spec, "selector"), "matchLabels");
  std::string joined;
  if (labels.is_object())
    for (const auto& [name, value] : labels.items())
      if (value.is_string()) joined += (joined.empty() ? "" : ",") + name + "=" + value.get<std::string>();
  if (joined.empty()) throw results::Error("the API server answered a Job that selects no pods");
  return joined;
}

// Those of nodes, without what quotas count.
std::string resources(const Json& amounts) {
  std::string joined;
  if (!amounts.is_object()) return joined;
  for (const auto& [name, amount] : amounts.items()) {
    const bool is_of_quota =
        name == "pods" || name.starts_with("count/") || name.starts_with("limits.") || name.starts_with("requests.");
    if (!is_of_quota && amount.is_string())
      joined += (joined.empty() ? "" : ", ") + name + " " + amount.get<std::string>();
  }
  return joined;
}

std::optional<Waiting> waiting(const Json& state) {
  if (!at(state, "waiting").is_object()) return std::nullopt;
  return Waiting{text_at(at(state, "waiting"), "reason"), text_at(at(state, "waiting"), "message")};
}

std::optional<Ended> ended(const Json& state) {
  const Json& end = at(state, "terminated");
  if (!end.is_object()) return std::nullopt;
  const Json& code = at(end, "exitCode");
  // A code that is none is not 0.
  return Ended{code.is_number_integer() ? code.get<int>() : -1, text_at(end, "reason"), text_at(end, "message")};
}

std::vector<Container> containers(const Json& statuses) {
  std::vector<Container> all;
  for (const Json& each : statuses) {
    const Json& state = at(each, "state");
    all.push_back({.name = text_at(each, "name"),
                   .image = text_at(each, "image"),
                   .is_ready = is_true(each, "ready"),
                   .is_running = at(state, "running").is_object(),
                   .waiting = waiting(state),
                   .ended = ended(state)});
  }
  return all;
}

std::string controller(const Json& metadata) {
  for (const Json& owner : list(metadata, "ownerReferences"))
    if (is_true(owner, "controller")) return text_at(owner, "uid");
  return "";
}

Pod pod(const Json& json) {
  const Json& metadata = at(json, "metadata");
  const Json& status = at(json, "status");
  return {.name = text_at(metadata, "name"),
          .owner = controller(metadata),
          .created = text_at(metadata, "creationTimestamp"),
          .node = text_at(at(json, "spec"), "nodeName"),
          .phase = text_at(status, "phase"),
          .reason = text_at(status, "reason"),
          .message = text_at(status, "message"),
          .unschedulable = text_at(condition(status, "PodScheduled", "False"), "message"),
          .is_ready = !condition(status, "Ready", "True").is_null(),
          .is_deleted = !text_at(metadata, "deletionTimestamp").empty(),
          .setup = containers(list(status, "initContainerStatuses")),
          .containers = containers(list(status, "containerStatuses"))};
}

}  // namespace

Job volcano_job_from_json(std::string_view json) {
  constexpr std::array<std::string_view, 4> ends{"Completed", "Failed", "Terminated", "Aborted"};
  const Json parsed = object_of_kind(json, "Job");
  const Json& state = at(at(parsed, "status"), "state");
  Job job = heading(parsed);
  job.phase = text_at(state, "phase");
  job.reason = text_at(state, "reason");
  job.message = text_at(state, "message");
  job.has_ended = std::ranges::find(ends, job.phase) != ends.end();
  return job;
}

Job core_job_from_json(std::string_view json) {
  const Json parsed = object_of_kind(json, "Job");
  Job job = heading(parsed);
  job.phase = "Running";
  job.selector = selector(at(parsed, "spec"));
  for (const auto* type : {"Complete", "Failed", "Suspended"}) {
    const Json& found = condition(at(parsed, "status"), type, "True");
    if (found.is_null()) continue;
    job.phase = type;
    job.reason = text_at(found, "reason");
    job.message = text_at(found, "message");
    job.has_ended = job.phase != "Suspended";
    break;
  }
  return job;
}

PodGroup pod_group_from_json(std::string_view json) {
  const Json parsed = object_of_kind(json, "PodGroup");
  const Json& spec = at(parsed, "spec");
  const Json& status = at(parsed, "status");
  return {.phase = text_at(status, "phase"),
          .queue = text_at(spec, "queue"),
          .wanted = resources(at(spec, "minResources")),
          .unschedulable = text_at(condition(status, "Unschedulable", "True"), "message")};
}

Pods pods_from_json(std::string_view json) {
  const Json parsed = object_of_kind(json, "PodList");
  Pods page{.pods = {}, .next = text_at(at(parsed, "metadata"), "continue")};
  for (const Json& each : list(parsed, "items")) page.pods.push_back(pod(each));
  return page;
}

Refusal refusal_from_json(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, false);
  if (text_at(parsed, "kind") != "Status") return {};
  return {.reason = text_at(parsed, "reason"), .message = text_at(parsed, "message")};
}

}  // namespace muster::healthcheck::fleet
