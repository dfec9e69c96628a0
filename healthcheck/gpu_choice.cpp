// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/gpu_choice.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "healthcheck/check.hpp"
#include "healthcheck/error.hpp"
#include "topology/pci.hpp"

namespace muster::healthcheck {

results::Labels ChosenGpu::labels() const { return {{"gpu", std::to_string(index)}, {"pci", address}}; }

std::string refusal_of_cuda(std::string_view words) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return std::string(words);
  return fmt::format("{}; CUDA_VISIBLE_DEVICES is \"{}\"", words, visible);
}

void GpuChoice::add_to(CommandLine& line) {
  line.add("--gpu", gpu_, "Which GPU, as the kernel counts them by their addresses (default: all)");
}

void GpuChoice::expect_possible(const Context& context) const {
  const auto count = topology::nvidia_gpus(context.sysfs()).size();
  if (gpu_ && *gpu_ >= count)
    throw UsageError(fmt::format("--gpu {}: the kernel lists {} NVIDIA GPUs, counted from 0", *gpu_, count));
}

std::vector<ChosenGpu> GpuChoice::gpus(Context& context) const {
  const auto all = topology::nvidia_gpus(context.sysfs());
  if (all.empty()) throw Skip("no NVIDIA GPU");
  if (gpu_) context.select("gpu", {std::to_string(*gpu_)});
  std::vector<ChosenGpu> chosen;
  for (std::size_t index = 0; index < all.size(); ++index)
    if (!gpu_ || *gpu_ == index)
      chosen.push_back({.index = index, .address = all[index].address, .numa_node = all[index].numa_node});
  return chosen;
}

}  // namespace muster::healthcheck
