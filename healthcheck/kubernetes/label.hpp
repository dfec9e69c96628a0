// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "healthcheck/kubernetes/kubernetes_api.hpp"
#include "healthcheck/program/stop.hpp"
#include "results/values/verdict.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck::fleet {

struct Labeling {
  std::string node;
  topology::Sysfs machine;
  std::string prefix = "hyperv";  // of the values of Hyper-V; all labels and annotations of it are ours
  double every_seconds = 60;
  bool once = false;
};

// Gives a node the labels of this machine, and again each time that they change; says on stderr what became of it. The
// API server is asked when they change, and once an hour. What goes wrong is tried again, at longer and longer
// intervals. Comes back when `stop` is told, or, where it is to be done once, when it was, or after a minute: pass
// where the node was right at the end.
results::Status label(const Server& server, const Labeling& wanted, Stop& stop);

}  // namespace muster::healthcheck::fleet
