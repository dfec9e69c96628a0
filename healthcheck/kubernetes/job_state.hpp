// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What matters here of Kubernetes' objects: the core API's Job and Pod, and Volcano's Job and PodGroup (v1alpha1 of
// batch and v1beta1 of scheduling in volcano.sh/apis 1.14). Texts that are absent are empty.
namespace muster::healthcheck::fleet {

struct Job {
  std::string name;
  std::string uid;
  std::string phase;  // Volcano's; of a core Job Running, or the condition that ended it
  std::string reason;
  std::string message;
  std::string selector;  // of a core Job's pods
  bool has_ended = false;
};

struct PodGroup {
  std::string phase;  // Pending until its queue admits it, and pods are made
  std::string queue;
  std::string wanted;         // "cpu 2, nvidia.com/gpu 16"
  std::string unschedulable;  // the message of this condition
};

// Why a container does not run yet.
struct Waiting {
  std::string reason;
  std::string message;
};

struct Ended {
  int exit_code = 0;
  std::string reason;
  std::string message;  // what the container left in its termination message
};

struct Container {
  std::string name;
  std::string image;
  bool is_ready = false;
  bool is_running = false;
  std::optional<Waiting> waiting;
  std::optional<Ended> ended;
};

struct Pod {
  std::string name;
  std::string owner;    // uid of its controller
  std::string created;  // RFC 3339
  std::string node;
  std::string phase;
  std::string reason;
  std::string message;
  std::string unschedulable;  // the message of PodScheduled=False
  bool is_ready = false;
  bool is_deleted = false;       // but not gone yet
  std::vector<Container> setup;  // init containers
  std::vector<Container> containers;
};

// One page of a list; `next` is the token of the page after it, empty on the last.
struct Pods {
  std::vector<Pod> pods;
  std::string next;
};

// The readers throw results::Error when a text is not JSON or not such an object. What is optional in Kubernetes may be
// missing, and what is of the wrong type counts as missing.
Job volcano_job_from_json(std::string_view text);
Job core_job_from_json(std::string_view text);
PodGroup pod_group_from_json(std::string_view text);
Pods pods_from_json(std::string_view text);

// What the API server says when it refuses; empty when that is no Status of Kubernetes.
struct Refusal {
  std::string reason;  // "AlreadyExists", "Conflict" ...
  std::string message;
};
Refusal refusal_from_json(std::string_view text);

}  // namespace muster::healthcheck::fleet
