// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "benchmarks/nvml/gpu.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/parts/nvml/nvml_probe.hpp"

namespace muster::healthcheck {

// What the PCIe link of a GPU runs at while there is something to do, and how often it sent again from now on: an idle
// one may be slower. The GPU must outlive it.
class PcieUnderLoad {
 public:
  explicit PcieUnderLoad(const NvmlProbe& gpu);

  // To be called while data are under way.
  void look();
  // CHECK.pcie_generation and CHECK.pcie_width as they were seen, of the most that GPU and slot can, and
  // CHECK.pcie_replays. CHECK.counters is "read", or why not.
  void add(Context& context, std::string_view check, const results::Labels& labels) const;
  // What all active NVLinks of the GPU carry in one direction, in B/s; nothing where there are none.
  std::optional<results::Limit> nvlinks() const;

 private:
  benchmarks::nvml::Answer<unsigned> ask(const benchmarks::nvml::Call<benchmarks::nvml::Device, unsigned*>& call) const;

  const NvmlProbe& gpu_;
  benchmarks::nvml::Answer<unsigned> replays_;
  benchmarks::nvml::Answer<unsigned> generation_;
  benchmarks::nvml::Answer<unsigned> width_;
};

}  // namespace muster::healthcheck
