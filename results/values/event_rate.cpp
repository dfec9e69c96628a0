// SPDX-License-Identifier: Apache-2.0
#include "results/values/event_rate.hpp"

#include <algorithm>
#include <cmath>

namespace muster::results {
namespace {

constexpr double z = 3.719;  // of a normal distribution, one in 10,000 is above

}  // namespace

double min_rate(double events, double seconds) {
  if (events <= 0 || seconds <= 0) return 0;
  const double root = 1 - 1 / (9 * events) - z / (3 * std::sqrt(events));
  return events * std::pow(std::max(root, 0.0), 3) / seconds;
}

}  // namespace muster::results
