// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "healthcheck/judge/calibrate.hpp"

namespace muster::healthcheck {

// Of what misses the thresholds of a calibrated profile.
inline constexpr std::string_view calibrated_fault = "slower_than_calibrated";

// What a profile says of the healthy runs that it is made of.
struct Origin {
  std::string runs;
  std::string date;
  results::Tier tier = results::Tier::full;
};

// Throws UsageError where these are not healthy runs of one machine, each given once.
Origin origin_of(std::span<const results::Report> reports, const Calibration& calibration);

}  // namespace muster::healthcheck
