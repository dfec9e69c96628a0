// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/errors_since.hpp"

#include <algorithm>
#include <utility>

#include "healthcheck/check/counter_growth.hpp"

namespace muster::healthcheck {

ErrorsSince errors_since(const topology::Sysfs& sysfs, std::vector<topology::Counter> counted,
                         const std::optional<std::filesystem::path>& file) {
  Earlier earlier;
  if (file) {
    const auto now = reading_of(sysfs, counted);
    earlier = earlier_reading(*file, now);
    write_reading(now, *file);
  }
  ErrorsSince found{.errors = {}, .problem = std::move(earlier.problem)};
  for (auto& counter : counted) {
    const auto before = std::ranges::find_if(earlier.reading.counters, [&](const topology::Counter& each) {
      return each.metric == counter.metric && each.labels == counter.labels;
    });
    // A counter that went down was reset, and all that it shows came after that.
    const bool is_known = before != earlier.reading.counters.end() && before->value <= counter.value;
    if (is_known) counter.value -= before->value;
    found.errors.push_back({.counter = std::move(counter), .is_since_last_run = is_known});
  }
  return found;
}

}  // namespace muster::healthcheck
