// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/log/moment.hpp"

#include <fmt/format.h>

#include <chrono>

#include "results/values/report.hpp"

namespace muster::healthcheck {
namespace {

constexpr double seconds_per_day = 86400;

}  // namespace

std::optional<long> Moment::day() const {
  const auto& any = date ? date : seconds;
  if (!any) return std::nullopt;
  return static_cast<long>(std::floor(*any / seconds_per_day));
}

std::string Moment::text() const {
  using std::chrono::system_clock;
  if (date)
    return results::utc(system_clock::time_point(
        std::chrono::duration_cast<system_clock::duration>(std::chrono::duration<double>(*date))));
  return seconds ? fmt::format("{:.1f} s after boot", *seconds) : "";
}

}  // namespace muster::healthcheck
