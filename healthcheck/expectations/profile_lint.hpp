// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/program/installation.hpp"

namespace muster::healthcheck {

// What is wrong with a profile's file, all of it at once: "FILE:LINE: /expectations/3/metric: ...". Beyond what
// read_profile() refuses: metrics that nobody measures, of another check or in another unit, and codes of faults that
// the table does not have. Empty for a good one; with max_findings it stopped.
inline constexpr std::size_t max_findings = 200;
std::vector<std::string> lint_profile(const std::filesystem::path& file, const Metrics& metrics, const Faults& faults);

// What was chosen, where lint finds nothing in it: an expectation that can never match would be none. The files of the
// installation are known to be clean. Throws UsageError with the first finding.
Profile read_clean(const Choice& choice, const Installation& installed, const Faults& faults);

// How far the thresholds of an expectation are apart.
struct Distance {
  double logarithm = 0;          // |ln(pass / fail)|
  std::optional<double> noises;  // that, in healthy relative spreads, where the profile states one
};

// Nothing where the expectation has not two thresholds above 0.
std::optional<Distance> distance(const Expectation& expectation);

}  // namespace muster::healthcheck
