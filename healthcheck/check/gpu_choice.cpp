// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/gpu_choice.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "healthcheck/check/check.hpp"
#include "healthcheck/program/error.hpp"
#include "topology/devices/pci.hpp"

namespace muster::healthcheck {

results::Labels SelectedGpu::labels() const { return {{"gpu", std::to_string(index)}, {"pci", address}}; }

std::string refusal_of_cuda(std::string_view words) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return std::string(words);
  return fmt::format("{}; CUDA_VISIBLE_DEVICES is \"{}\"", words, visible);
}

std::vector<SelectedGpu> all_gpus(const Context& context) {
  std::vector<SelectedGpu> all;
  for (const auto& gpu : topology::nvidia_gpus(context.sysfs()))
    all.push_back({.index = all.size(), .address = gpu.address, .numa_node = gpu.numa_node});
  if (all.empty()) throw Skip("no NVIDIA GPU");
  return all;
}

void GpuChoice::add_to(CommandLine& line) {
  line.add("--gpu", gpu_, "Which GPU, as the kernel counts them by their addresses (default: all)");
}

void GpuChoice::expect_possible(const Context& context) const {
  const auto count = topology::nvidia_gpus(context.sysfs()).size();
  if (gpu_ && *gpu_ >= count)
    throw UsageError(fmt::format("--gpu {}: the kernel lists {} NVIDIA GPUs, counted from 0", *gpu_, count));
}

std::vector<SelectedGpu> GpuChoice::gpus(Context& context) const {
  auto all = all_gpus(context);
  if (!gpu_) return all;
  context.select("gpu", {std::to_string(*gpu_)});
  return {all.at(*gpu_)};
}

}  // namespace muster::healthcheck
