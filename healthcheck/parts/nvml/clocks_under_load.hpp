// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/nvml/gpu.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/parts/nvml/nvml_probe.hpp"

namespace muster::healthcheck {

// What a GPU runs at while it has something to do, and what holds it back. The GPU must outlive it.
class ClocksUnderLoad {
 public:
  explicit ClocksUnderLoad(const NvmlProbe& gpu) : gpu_(gpu) {}

  // To be called while it computes, again and again.
  void look();
  // The median clock of the multiprocessors since the last call of add(), in Hz; nothing where NVML does not tell.
  std::optional<double> clock() const;
  // What was seen since the last call: CHECK.clock of the highest there is, CHECK.power and CHECK.temperature;
  // CHECK.clock_reasons, and of these in CHECK.slowdowns those that no load alone explains.
  void add(Context& context, std::string_view check, const results::Labels& labels);
  // "read", or why something was not.
  const std::string& answer() const { return answer_; }

 private:
  template <class Value>
  std::optional<Value> known(const benchmarks::nvml::Answer<Value>& asked);

  const NvmlProbe& gpu_;
  std::vector<double> hertz_;
  std::vector<double> watts_;
  std::vector<double> celsius_;
  std::optional<std::uint64_t> reasons_;
  std::string answer_ = "read";
};

}  // namespace muster::healthcheck
