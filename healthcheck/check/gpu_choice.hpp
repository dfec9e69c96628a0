// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/check/context.hpp"
#include "healthcheck/program/command_line.hpp"
#include "results/values/measurement.hpp"

namespace muster::healthcheck {

struct SelectedGpu {
  std::size_t index = 0;  // as the kernel counts NVIDIA's GPUs by their addresses
  std::string address;
  std::optional<int> numa_node = std::nullopt;

  // gpu and pci.
  results::Labels labels() const;
};

// What CUDA said when it did not give a GPU, and what may be the reason where it does not show one that is there.
std::string refusal_of_cuda(std::string_view words);

// NVIDIA's of this machine. Throws Skip where there are none.
std::vector<SelectedGpu> all_gpus(const Context& context);

// The GPUs that a run of a check is about: one, or all.
class GpuChoice {
 public:
  // --gpu
  void add_to(CommandLine& line);
  // Throws UsageError where the kernel does not list the one that was named.
  void expect_possible(const Context& context) const;
  // Throws Skip where the machine has no NVIDIA GPU. The report says which were chosen.
  std::vector<SelectedGpu> gpus(Context& context) const;

 private:
  std::optional<std::size_t> gpu_;
};

}  // namespace muster::healthcheck
