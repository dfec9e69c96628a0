// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/nvml/gpu.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/parts/nvml/nvml_probe.hpp"

namespace muster::healthcheck {

// What a GPU counts of errors of its memory, from now on. The GPU must outlive it.
class MemoryErrors {
 public:
  explicit MemoryErrors(const NvmlProbe& gpu);

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

  const NvmlProbe& gpu_;
  std::vector<Counter> before_;
};

}  // namespace muster::healthcheck
