// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

// Objects as Kubernetes 1.35 and Volcano 1.15 answer them, but for fields that nothing here reads.
namespace muster::tests::fleet {

using Json = nlohmann::json;

constexpr auto uid = "8c1f0c53-5be7-4fd5-9f55-9ce1b3d1a3c4";

Json volcano_job(std::string_view phase, std::string_view reason = "", std::string_view message = "");

// With this condition, unless its type is empty.
Json core_job(std::string_view condition = "", std::string_view reason = "", std::string_view message = "");

Json pod_group(std::string_view phase, std::string_view unschedulable = "");

// Of the launcher or worker that its name ends in; `state` is the state of its container, such as running().
Json pod(const std::string& name, std::string_view phase, const Json& state);
Json pod_list(const std::vector<Json>& pods, std::string_view next = "");

Json running();
Json waiting(std::string_view reason, std::string_view message = "");
Json ended(int exit_code, std::string_view reason, std::string_view message = "");

// Changes of a pod.
Json ready(Json pod);
Json without_node(Json pod, std::string_view message);

// What a launcher leaves, of this status.
std::string summary(std::string_view status);

}  // namespace muster::tests::fleet
