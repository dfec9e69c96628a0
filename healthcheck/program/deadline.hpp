// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

// Between the clock and the plain numbers of options, reports and poll().
namespace muster::healthcheck {

// Of at most a year, so that no sum with now overflows.
std::chrono::steady_clock::duration ticks(double seconds);
double seconds(std::chrono::steady_clock::duration duration);

// For poll(): what is left until `time` in milliseconds, rounded up, 0 when it is over and at most an hour.
int milliseconds_until(std::chrono::steady_clock::time_point time);

}  // namespace muster::healthcheck
