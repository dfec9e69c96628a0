// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "topology/devices/hyperv.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

// What a node of Kubernetes is to be marked with.
struct NodeLabels {
  std::map<std::string, std::string> labels;       // by their whole names: "hyperv/PhysicalHostName"
  std::map<std::string, std::string> annotations;  // what no label can say
  std::vector<std::string> problems;               // one sentence each; what was sound is here all the same
  // Names, and prefixes with their '/', of which all is here: what else a node has of them is of the past.
  std::vector<std::string> settled;

  bool operator==(const NodeLabels&) const = default;
};

// What Hyper-V tells its guest as PREFIX/KEY, with the text itself as an annotation where a label cannot have it; the
// partition of the InfiniBand ports as ib/pkey, where they are in one, and the GUIDs of their adapters as the
// annotation ib/hca-guids. A pool that is absent or cut short settles nothing, nor do adapters that are not there yet.
// Throws topology::Error naming a damaged file of the kernel.
NodeLabels node_labels(const topology::Sysfs& sysfs, std::string_view prefix);

// What of that is from the pool.
void add_pool(NodeLabels& made, const topology::HypervPool& pool, std::string_view prefix);

// Text as the value of a label, or the name behind its prefix: 63 letters, digits, '-', '_' and '.' at most, of which
// the first and the last are letters or digits. Others become '-'; what is cut ends in a hash of the text. May be
// empty.
std::string as_label(std::string_view text);

// As JSON: an object for each of the three.
std::string to_json(const NodeLabels& labels);

}  // namespace muster::healthcheck
