// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/nvml/gpu.hpp"
#include "healthcheck/context.hpp"

namespace muster::healthcheck {

// What a GPU counts of errors of its memory, from now on. Where NVML does not say, nothing here throws.
class MemoryErrors {
 public:
  explicit MemoryErrors(const std::string& pci_address);

  // gpu_uuid and serial, as far as NVML says them.
  results::Labels identity() const;
  // What was counted since, as facts of a check: CHECK.ecc_correctable and CHECK.ecc_uncorrectable by memory,
  // CHECK.row_remaps by the errors they are for. CHECK.counters is "read", or why not.
  void add_growth(Context& context, std::string_view check, const results::Labels& labels) const;

 private:
  struct Counter {
    std::string subject;
    results::Labels labels;
    benchmarks::nvml::Answer<std::uint64_t> value;
  };
  std::vector<Counter> read() const;

  std::unique_ptr<benchmarks::nvml::Library> library_;
  std::optional<benchmarks::nvml::Gpu> gpu_;
  std::string refusal_;  // why there is no GPU to ask
  std::vector<Counter> before_;
};

}  // namespace muster::healthcheck
