// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace muster::healthcheck {

// How often something happened, and the most within an hour.
class Occurrences {
 public:
  static constexpr std::size_t max_per_hour = 100;  // more are not told apart

  // Seconds since boot, in the order of the log; without them it counts as in the hour of the one before.
  void add(std::optional<double> seconds);

  std::size_t count() const { return count_; }
  std::size_t per_hour() const { return per_hour_; }

 private:
  std::array<double, max_per_hour> times_{};  // the last ones, in a ring
  std::size_t count_ = 0;
  std::size_t per_hour_ = 0;
  std::size_t in_window_ = 0;
};

}  // namespace muster::healthcheck
