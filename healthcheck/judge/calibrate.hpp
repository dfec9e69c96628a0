// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "healthcheck/expectations/profile.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

struct Calibration {
  std::string name;
  // Thresholds as a share of the worst healthy median; by what these runs differ when not given.
  std::optional<double> pass;
  std::optional<double> fail;
  std::vector<std::string> without;  // metrics that get no expectation
  std::vector<std::string> files;    // of the reports, for messages; may be empty
};

struct Calibrated {
  Profile profile;
  std::vector<std::string> left_out;  // a phrase for each expectation that would be too uncertain
};

// A profile of what these healthy runs measured: at_least for what more is better of, at_most (thresholds divided, not
// multiplied) for what less is, the healthy spread in `noise`, and in `source` the run ids it comes from. Where a
// calibrated machine is measured on (folders, devices) is no part of it. What is too uncertain for thresholds is left
// out. Throws UsageError when there is no report, or one alone and no thresholds, when one of them failed or is given
// twice, when they come from different machines, when a number cannot be, or when nothing is left.
Calibrated calibrate(std::span<const results::Report> reports, const Calibration& calibration);

}  // namespace muster::healthcheck
