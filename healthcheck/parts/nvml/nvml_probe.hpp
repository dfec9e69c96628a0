// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "benchmarks/nvml/gpu.hpp"
#include "results/values/measurement.hpp"

namespace muster::healthcheck {

// A GPU that NVML is asked about beside a test of it. Where NVML is not there, or does not know the GPU, nothing
// throws.
class NvmlProbe {
 public:
  explicit NvmlProbe(const std::string& pci_address);

  const std::optional<benchmarks::nvml::Gpu>& gpu() const { return gpu_; }
  const std::string& refusal() const { return refusal_; }  // why there is none

  // gpu_uuid and serial, as far as NVML says them.
  results::Labels identity() const;

 private:
  std::unique_ptr<benchmarks::nvml::Library> library_;
  std::optional<benchmarks::nvml::Gpu> gpu_;
  std::string refusal_;
};

}  // namespace muster::healthcheck
