// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/nccl/finding.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {

// A GPU that has another number of NVLinks than its siblings of one compute capability. Links to a CPU are none, nor
// are those to a GPU that the file does not have where switches join the siblings.
struct UnevenGpu {
  const PciNode* node = nullptr;
  const Gpu* gpu = nullptr;
  std::int64_t links = 0;
  std::int64_t usual = 0;    // of its siblings
  bool by_switches = false;  // switches join them; bridges join some GPUs of a machine alone
};

// The machine must outlive them.
std::vector<UnevenGpu> uneven_gpus(const Machine& machine);

// "this GPU has 17 NVLinks and its siblings have 18; ..."
std::string to_text(const UnevenGpu& gpu);

// GPUs whose NVLinks lead to themselves, and those that are uneven: an error where switches join them, else a warning.
Findings lint_nvlinks(const TopologyFile& file);

}  // namespace muster::topology
