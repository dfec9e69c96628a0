// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "healthcheck/fleet/node_report.hpp"
#include "healthcheck/kubernetes/kubernetes_api.hpp"
#include "healthcheck/program/stop.hpp"

namespace muster::healthcheck::fleet {

// Whose pods go when it does: the one that makes them. Empty names mean nobody.
struct Owner {
  std::string name, uid;
};

// The Pod that tests a node: a template with a name, on that node alone, with a label of its night. Throws
// results::Error when the template is no Pod.
struct NodePod {
  std::string name, json;
};
NodePod pod_for(std::string_view pod_template, const std::string& night, const std::string& node, const Owner& owner);

// What becomes of a node that others use: it is waited for, or skipped where a pod finds no room for a while, or
// skipped where anybody's pod runs on it at all.
enum class WhenBusy { wait, skip, idle_only };

struct Night {
  std::string name_space;
  std::string name;          // of this night, and the start of its pods' names
  std::string selector;      // of nodes, as kubectl takes it; empty for all
  std::string pod_template;  // JSON
  Owner owner;
  std::size_t at_once = 200;  // pods
  WhenBusy when_busy = WhenBusy::skip;
  double busy_seconds = 60;        // that a pod may find no room before its node is skipped
  double deadline_seconds = 3600;  // for all of it
};

struct Tested {
  std::vector<std::string> nodes;  // that the selector found
  Found found;
};

// Tests every node of the selector once, by a pod of its own that the scheduler places there, and takes its summary
// from its termination message. Says by `say` what becomes of the night. Pods that have ended are deleted.
Tested test_nodes(const Server& server, const Night& night, Stop& stop,
                  const std::function<void(const std::string&)>& say);

}  // namespace muster::healthcheck::fleet
