// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "healthcheck/log/catalogue.hpp"
#include "results/measurement.hpp"

namespace muster::healthcheck {

// How often something happened, and the most within an hour.
class Occurrences {
 public:
  static constexpr std::size_t most_per_hour = 100;  // more are not told apart

  // Seconds since boot, in the order of the log; without them it counts as in the hour of the one before.
  void add(std::optional<double> seconds);

  std::size_t count() const { return count_; }
  std::size_t per_hour() const { return per_hour_; }

 private:
  std::array<double, most_per_hour> times_{};  // the last ones, in a ring
  std::size_t count_ = 0;
  std::size_t per_hour_ = 0;
  std::size_t in_window_ = 0;
};

// Hits by fault and labels, in memory that does not grow beyond a bound.
class Tally {
 public:
  struct Entry {
    Occurrences occurrences;
    std::string meaning;
    std::string last;  // message, as it is
  };
  using Key = std::pair<std::string, results::Labels>;  // the fault's code and what is at fault

  // Of more kinds of labels, the rest is told by the code alone.
  static constexpr std::size_t most_entries = 1000;

  void add(const Catalogue::Hit& hit, std::optional<double> seconds, std::string_view text);
  const std::map<Key, Entry>& entries() const { return entries_; }

 private:
  std::map<Key, Entry> entries_;
};

}  // namespace muster::healthcheck
