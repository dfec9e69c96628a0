// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster::topology {

// What can be wrong with a topology file. Each is a fault code "topology_NAME", which says what NCCL does with it and
// how to mend it.
enum class TopologyDefect {
  refused,        // NCCL's parser stops here, and every rank ends
  ignored,        // NCCL skips this without a word
  bus_id,         // no device can ever match it
  duplicate,      // two of what must be one
  masks,          // CPUs of a NUMA node
  masks_swapped,  // those of two nodes exchanged
  link,           // speed or width
  device_class,   // against the place of the device
  no_nic,         // a GPU whose switch has none
  missing,        // the machine does not have it
  extra,          // the file does not have it
  numa,           // near another NUMA node
  pairing,        // GPU and NIC under one switch
  degraded,       // the machine's link runs below what the file and the device promise
  processor,      // vendor, family or model
  nvlink,         // of a GPU, to itself
  order,
  hosts,       // more than one
  uneven,      // NVLinks of a GPU beside those of its siblings
  gpu_direct,  // a GPU or NIC without GPUDirect RDMA
};

std::vector<TopologyDefect> all_wrongs();

// "masks_swapped"
std::string_view to_text(TopologyDefect wrong);

enum class Severity { error, warning };

struct Finding {
  TopologyDefect wrong = TopologyDefect::refused;
  Severity severity = Severity::error;
  std::string device;  // "0009:00:00.0", "numa 1"; empty for the file as a whole
  int line = 0;        // in the file, from 1; 0 when it is not in the file
  std::string what;    // one sentence, with what NCCL makes of it

  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

bool has_error(const Findings& findings);

}  // namespace muster::topology
