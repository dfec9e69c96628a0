// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/cuda/copy_rates.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace muster::healthcheck {
namespace {

using benchmarks::Sampled;
using benchmarks::cuda::Copy;
using results::Unit;

double bytes_of(const Copy& copy) { return static_cast<double>(copy.bytes * copy.times); }

}  // namespace

std::vector<Sampled> CopyRates::of_each(const std::vector<Copy>& copies) {
  const auto rates = [&] {
    auto values = copies_.seconds(copies);
    for (std::size_t index = 0; index < copies.size(); ++index) values[index] = bytes_of(copies[index]) / values[index];
    return values;
  };
  return sampled(rates, Unit::byte_per_second);
}

Sampled CopyRates::of_all(const std::vector<Copy>& copies) {
  double bytes = 0;
  for (const auto& copy : copies) bytes += bytes_of(copy);
  const auto rate = [&] { return std::vector{bytes / std::ranges::max(copies_.seconds(copies))}; };
  return sampled(rate, Unit::byte_per_second).front();
}

Sampled CopyRates::of_pageable(const Copy& copy) const {
  const auto rate = [&] { return std::vector{bytes_of(copy) / benchmarks::cuda::host_timed_seconds(copy)}; };
  return sampled(rate, Unit::byte_per_second).front();
}

Sampled CopyRates::seconds(const Copy& copy) {
  return sampled([&] { return copies_.seconds(std::span(&copy, 1)); }, Unit::second).front();
}

void CopyRates::once(const std::vector<Copy>& copies, const std::function<void()>& meanwhile) {
  copies_.seconds(copies, meanwhile);
}

std::vector<Sampled> CopyRates::sampled(const std::function<std::vector<double>()>& once, Unit unit) const {
  return benchmarks::sample_each(once, unit, benchmarks::SamplingGoal{},
                                 {.end = std::min(Clock::now() + time_, deadline_)});
}

}  // namespace muster::healthcheck
