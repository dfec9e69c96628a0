// SPDX-License-Identifier: Apache-2.0
// Clocks that do what MUSTER_FAULT says, linked in place of the system's.
#include <dlfcn.h>
#include <sched.h>
#include <sys/timex.h>
#include <time.h>

#include <cerrno>

#include "benchmarks/host/time_stamp.hpp"
#include "tests/support/injected.hpp"

namespace muster::benchmarks::host {
namespace {

constexpr std::uint64_t one_second = 1'000'000'000;  // ticks

std::uint64_t raw_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * one_second + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

std::optional<std::uint64_t> time_stamp() {
  using tests::is_injected;
  static const std::uint64_t start = raw_nanoseconds();
  const std::uint64_t ticks = raw_nanoseconds() - start;
  if (is_injected("no_counter")) return std::nullopt;
  if (is_injected("counter_speeds_up")) return ticks + ticks / 1'000 * (ticks / 1'000'000);
  if (is_injected("counters_apart") && sched_getcpu() % 2 == 1) return ticks + one_second;
  return ticks;
}

}  // namespace muster::benchmarks::host

extern "C" int adjtimex(timex* clock) {
  using muster::tests::is_injected;
  if (is_injected("adjtimex_refused")) {
    errno = EPERM;
    return -1;
  }
  clock->maxerror = 1000;
  return is_injected("unsynchronised") ? TIME_ERROR : TIME_OK;
}

extern "C" int clock_gettime(clockid_t id, timespec* time) {
  static const auto real = reinterpret_cast<decltype(&clock_gettime)>(dlsym(RTLD_NEXT, "clock_gettime"));
  if (id == CLOCK_MONOTONIC && muster::tests::is_injected("slow_reading"))
    for (int i = 0; i < 200; ++i) real(id, time);
  return real(id, time);
}
