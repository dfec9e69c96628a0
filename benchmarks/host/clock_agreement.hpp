// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <span>

namespace muster::benchmarks::host {

// How far CLOCK_MONOTONIC and the CPUs' time stamp counters disagree.
struct ClockAgreement {
  double drift = 0;  // between the slowest and the fastest rate, of any CPU in either half of the time, as a share
  double apart = 0;  // between the counters of two CPUs at one moment, in seconds
};

// Looks at both on each of these CPUs three times within `time`. Nothing where there is no such counter or no CPU.
// Throws Error where a thread cannot be bound to one.
std::optional<ClockAgreement> clock_agreement(std::span<const int> cpus, std::chrono::duration<double> time);

// The cost of reading CLOCK_MONOTONIC, in seconds: the median of some hundred readings in a row.
double clock_reading_seconds();

}  // namespace muster::benchmarks::host
