// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "results/values/measurement.hpp"
#include "results/values/verdict.hpp"

namespace muster::results {

// Gauges as text that is OpenMetrics 1.0 and Prometheus' format 0.0.4 at once: families together, units as suffixes,
// plain names, no time stamps, `# EOF` at the end. A series is there once, and there are no more than were allowed.
class Exposition {
 public:
  explicit Exposition(std::size_t most_series) : most_(most_series) {}

  // Of "report.time" in seconds it makes muster_report_time_seconds. Of a number that is not finite it makes nothing,
  // of bits per second bytes per second, which is Prometheus' unit. `help` is that of the first series of a family.
  void add(std::string_view name, Quantity value, std::string_view help, const Labels& labels);

  // Room for one more, such as for how many were left out.
  void allow_one_more() { ++most_; }

  std::size_t left_out() const { return left_out_; }  // series for which there was no room
  std::string text() const;

 private:
  struct Family {
    std::string name, unit, help, series;
  };

  Family& family(std::string_view name, Unit unit, std::string_view help);

  std::size_t most_;
  std::size_t left_out_ = 0;
  std::vector<Family> families_;
  std::unordered_map<std::string, std::size_t> places_;  // of families, by name
  std::unordered_set<std::string> series_;
};

// A status as a series has it, which help calls so.
Quantity as_number(Status status);
inline constexpr std::string_view statuses_as_numbers = "0 skip, 1 pass, 2 warn, 3 unknown, 4 fail";

// The name of a family, with the suffix of the unit.
std::string metric_family(std::string_view name, Unit unit);

}  // namespace muster::results
