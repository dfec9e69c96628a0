// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/data/exact_product.hpp"
#include "benchmarks/data/word_memory.hpp"
#include "benchmarks/sampling/sampler.hpp"
#include "healthcheck/parts/cublas/gpu_computer.hpp"
#include "results/values/measurement.hpp"

namespace muster::healthcheck {

// A GPU, and what is known so far of what it computes now.
struct ComputeState {
  ComputeState(const SelectedGpu& chosen, std::size_t size) : gpu(chosen, size) {}

  bool is_busy() const { return !trouble && gpu.has_work(); }
  results::Labels labels() const { return gpu.chosen().labels(); }
  results::Labels labels(std::string name, std::string_view value) const {
    auto all = labels();
    all.emplace(std::move(name), value);
    return all;
  }
  // Those, and which GPU of all in the world it is.
  results::Labels identified(results::Labels all) const {
    all.merge(gpu.asked().identity());
    return all;
  }
  std::string text(const benchmarks::Mismatch& word) const {
    return fmt::format("{}: {:016x}, not {:016x}", gpu.work().place(word.index, word.expected ^ word.found), word.found,
                       word.expected);
  }

  GpuComputer gpu;
  double seconds = 0;  // of one product
  std::optional<benchmarks::Sampling> rates;
  benchmarks::WrongRows wrong;
  std::optional<std::string> trouble;  // what CUDA said when it did not go on
  bool is_silent = false;
};

}  // namespace muster::healthcheck
