// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/nvml/nvml_probe.hpp"

#include <stdexcept>
#include <utility>

namespace muster::healthcheck {

namespace nvml = benchmarks::nvml;

NvmlProbe::NvmlProbe(const std::string& pci_address) {
  try {
    library_ = std::make_unique<nvml::Library>();
  } catch (const std::runtime_error& error) {
    refusal_ = error.what();
    return;
  }
  const auto gpu = nvml::gpu_at(*library_, pci_address);
  gpu_ = gpu.value;
  refusal_ = gpu.refusal.words;
}

results::Labels NvmlProbe::identity() const {
  results::Labels labels;
  if (!gpu_) return labels;
  for (const auto& [label, call] : {std::pair("gpu_uuid", nvml::uuid), std::pair("serial", nvml::serial)})
    if (const auto text = gpu_->text(call); text.value) labels.emplace(label, *text.value);
  return labels;
}

}  // namespace muster::healthcheck
