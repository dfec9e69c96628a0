// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <string>

namespace muster::healthcheck {

// When the kernel said something, as far as the front of its line tells.
struct Moment {
  std::optional<double> seconds{};  // since boot
  std::optional<double> date{};     // seconds since 1970, UTC

  // Seconds from an earlier moment of the same boot; nothing where the two have no clock in common.
  std::optional<double> since(const Moment& earlier) const {
    if (seconds && earlier.seconds) return *seconds - *earlier.seconds;
    if (date && earlier.date) return *date - *earlier.date;
    return std::nullopt;
  }
  // Whether it is at most so many seconds from the other one, or nobody can tell.
  bool is_near(const Moment& other, double max_seconds) const {
    const auto apart = since(other);
    return !apart || std::abs(*apart) <= max_seconds;
  }
  // Days since boot, or since 1970.
  std::optional<long> day() const;
  // "2025-11-28T10:00:00Z", "18000.5 s after boot"; empty where nobody can tell.
  std::string text() const;
};

}  // namespace muster::healthcheck
