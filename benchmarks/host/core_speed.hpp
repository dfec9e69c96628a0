// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

namespace muster::benchmarks::host {

// How fast a CPU works, and for whom.
struct CoreSpeed {
  double steps_per_second = 0;  // of one chain of integer operations, by the time that the thread bound to it ran
  double share = 0;             // of the time, in which that thread ran; others had the rest
};

// Of each of these CPUs: both are the best of some rounds, so that what disturbs a round or two does not count.
// `at_once` CPUs work together, the others wait, so that a quota is not exceeded; all of it takes `time`. Throws Error
// where a thread cannot be bound.
std::vector<CoreSpeed> core_speeds(std::span<const int> cpus, std::size_t at_once, std::chrono::duration<double> time);

}  // namespace muster::benchmarks::host
