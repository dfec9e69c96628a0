// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "healthcheck/profile.hpp"
#include "results/report.hpp"

namespace muster::healthcheck {

struct Calibration {
  std::string name;
  double pass = 0.6;  // edges as a share of the lowest median of all reports
  double fail = 0.4;
};

// A profile of what these healthy runs measured: at_least for bandwidths, at_most (edges divided, not multiplied) for
// durations, the median and the healthy spread in `noise`, and in `source` the run ids it comes from.
// Throws UsageError when there is no report, when one of them failed, when they come from different machines, or when
// the interval of a median reaches beyond the pass edge that would be set from it.
Profile calibrate(std::span<const results::Report> reports, const Calibration& calibration);

}  // namespace muster::healthcheck
