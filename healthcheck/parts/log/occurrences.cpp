// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/log/occurrences.hpp"

#include <algorithm>
#include <cmath>

namespace muster::healthcheck {
namespace {

constexpr double hour = 3600;

}  // namespace

void Occurrences::add(std::optional<double> seconds) {
  const double before = count_ == 0 ? 0 : times_[(count_ - 1) % max_per_hour];
  const double now = seconds.value_or(before);
  // The window begins with the oldest of those that are within an hour of it; where times begin anew, so did the
  // kernel.
  while (in_window_ > 0 && std::abs(now - times_[(count_ - in_window_) % max_per_hour]) > hour) --in_window_;
  in_window_ = std::min(in_window_ + 1, max_per_hour);
  times_[count_ % max_per_hour] = now;
  ++count_;
  per_hour_ = std::max(per_hour_, in_window_);
}

}  // namespace muster::healthcheck
