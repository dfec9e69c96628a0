// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/core_speed.hpp"

#include <time.h>

#include <algorithm>
#include <cstdint>

#include "benchmarks/host/binding.hpp"
#include "benchmarks/host/team.hpp"

namespace muster::benchmarks::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int repetitions = 5;
constexpr int steps_at_a_time = 10'000;  // some 10 us: short beside a round, long beside a look at the clock

// Each step needs the result of the one before, so that only the clock of the CPU counts. Source of the constants:
// Knuth, MMIX, as linear congruential generator.
std::uint64_t steps(std::uint64_t state) {
  for (int i = 0; i < steps_at_a_time; ++i) state = state * 6364136223846793005U + 1442695040888963407U;
  return state;
}

// That the calling thread ran, since it began to.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

CoreSpeed measured(std::chrono::duration<double> time) {
  const auto start = Clock::now();
  const double ran_before = thread_seconds();
  volatile std::uint64_t state = 1;  // or the compiler would leave the work out
  std::uint64_t done = 0;
  std::chrono::duration<double> passed{};
  do {
    state = steps(state);
    done += steps_at_a_time;
    passed = Clock::now() - start;
  } while (passed < time);
  const double ran = thread_seconds() - ran_before;
  return {.steps_per_second = static_cast<double>(done) / ran, .share = ran / passed.count()};
}

}  // namespace

std::vector<CoreSpeed> core_speeds(std::span<const int> cpus, std::size_t at_once, std::chrono::duration<double> time) {
  std::vector<CoreSpeed> best(cpus.size());
  if (cpus.empty()) return best;
  const auto topology = load_topology();
  Team team(std::clamp<std::size_t>(at_once, 1, cpus.size()));
  const auto groups = (cpus.size() + team.size() - 1) / team.size();
  const auto share = time / (repetitions * static_cast<double>(groups));
  for (int round = 0; round < repetitions; ++round)
    for (std::size_t begin = 0; begin < cpus.size(); begin += team.size())
      team.run([&](std::size_t thread) {
        const auto at = begin + thread;
        if (at >= cpus.size()) return;
        bind_thread(topology.get(), static_cast<unsigned>(cpus[at]));
        const auto own = measured(share);
        best[at] = {.steps_per_second = std::max(best[at].steps_per_second, own.steps_per_second),
                    .share = std::max(best[at].share, own.share)};
      });
  return best;
}

}  // namespace muster::benchmarks::host
