// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/verbs/port.hpp"
#include "benchmarks/verbs/transfer_result.hpp"
#include "healthcheck/check/context.hpp"
#include "topology/devices/infiniband.hpp"

// A port as checks of RDMA use it.
namespace muster::healthcheck {

// What is moved, and from and to which memory: of hosts, or of the GPUs beside the ports.
struct RdmaCase {
  benchmarks::verbs::RdmaOperation operation = benchmarks::verbs::RdmaOperation::write;
  bool is_of_gpus = false;
};

// A port of this machine, what its link carries at most in bits per second, where that is known, what it is opened as,
// and the PCI address of a GPU beside it whose memory it reaches.
struct RdmaEnd {
  topology::Hca hca;
  topology::HcaPort port;
  std::optional<double> rate;
  std::unique_ptr<benchmarks::verbs::RdmaPort> opened;
  std::string gpu;
  bool is_aside = false;  // see leave_ethernet_aside()

  // A word: "aside", what the kernel says ("ACTIVE"), or "unknown".
  std::string state() const;
  bool is_active() const { return port.state == "ACTIVE" && !is_aside; }
  bool reaches_gpu() const { return !gpu.empty(); }
  bool serves(const RdmaCase& transfer) const { return opened && (reaches_gpu() || !transfer.is_of_gpus); }
  results::Labels labels() const;
  // To be used for this; none where it does not serve.
  benchmarks::verbs::CountedPort counted(const Context& context, const RdmaCase& transfer) const;
};

// What a path between two ports carries at most: its slower link, as far as these are known.
std::optional<double> rate_of_path(std::optional<double> one, std::optional<double> other);

// Whether a name is among those that were asked for; of none, all are.
bool wanted(const std::vector<std::string>& names, std::string_view name);

// Of adapters of these names, or of all.
std::vector<RdmaEnd> rdma_ends(const topology::Sysfs& sysfs, const std::vector<std::string>& nics);

// Whether any of them has an InfiniBand network. Ethernet beside that serves other things, and may be closed to RDMA.
bool serve_infiniband(std::span<const RdmaEnd> ports);
void leave_ethernet_aside(std::span<RdmaEnd> ports);

}  // namespace muster::healthcheck
