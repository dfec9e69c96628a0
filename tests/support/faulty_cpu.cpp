// SPDX-License-Identifier: Apache-2.0
// A CPU that takes three times as long for everything, where MUSTER_FAULT says so, told by the clock of those who run
// on it.
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

#include <string>

#include "tests/support/injected.hpp"

extern "C" int clock_gettime(clockid_t id, timespec* time) {
  static const auto real = reinterpret_cast<decltype(&clock_gettime)>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int outcome = real(id, time);
  if (id != CLOCK_THREAD_CPUTIME_ID || !muster::tests::is_injected("slow_cpu", std::to_string(sched_getcpu())))
    return outcome;
  constexpr long one_second = 1'000'000'000;  // nanoseconds
  const long nanoseconds = 3 * (time->tv_sec * one_second + time->tv_nsec);
  time->tv_sec = nanoseconds / one_second;
  time->tv_nsec = nanoseconds % one_second;
  return outcome;
}
