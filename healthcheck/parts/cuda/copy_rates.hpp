// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "benchmarks/cuda/copies.hpp"
#include "benchmarks/sampling/sampler.hpp"

namespace muster::healthcheck {

// Samples copies, each time all of them together. All throw benchmarks::Error.
class CopyRates {
 public:
  using Clock = std::chrono::steady_clock;

  // The time for each call, and when there is none any more.
  CopyRates(Clock::duration time, Clock::time_point deadline) : time_(time), deadline_(deadline) {}

  // B/s of each.
  std::vector<benchmarks::Sampled> of_each(const std::vector<benchmarks::cuda::Copy>& copies);
  // B/s of all, until the last is over.
  benchmarks::Sampled of_all(const std::vector<benchmarks::cuda::Copy>& copies);
  // B/s of one from or to pageable memory of the host.
  benchmarks::Sampled of_pageable(const benchmarks::cuda::Copy& copy) const;
  // How long one takes.
  benchmarks::Sampled seconds(const benchmarks::cuda::Copy& copy);
  // Does them once, and something else meanwhile.
  void once(const std::vector<benchmarks::cuda::Copy>& copies, const std::function<void()>& meanwhile);

 private:
  std::vector<benchmarks::Sampled> sampled(const std::function<std::vector<double>()>& once, results::Unit unit) const;

  Clock::duration time_;
  Clock::time_point deadline_;
  benchmarks::cuda::Copies copies_;
};

}  // namespace muster::healthcheck
