// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "healthcheck/expectations/profile.hpp"
#include "results/values/measurement.hpp"
#include "results/values/verdict.hpp"

namespace muster::healthcheck {

// How facts stand to a bound; fail whatever the expectation's severity.
struct Assessment {
  results::Status status = results::Status::unknown;
  std::string reason;               // "371 GB/s is 16 % below 440 GB/s"
  std::string fault = {};           // when it is another than the expectation's
  bool needs_confirmation = false;  // by a second measurement, before it can be a failure

  bool operator==(const Assessment&) const = default;
};

// "at least 465 GB/s (fails below 440 GB/s)"; "warns below" where the worst that a violation can be is a warning.
std::string to_text(const Expectation& expectation, results::Status worst = results::Status::fail);

// Nothing when the number is within what its path can physically carry; else unknown, "impossible: 812 of 450 GB/s".
std::optional<Assessment> impossible(const results::Measurement& measurement);

// One fact against a bound that needs no peers. Impossible numbers, and values of another unit or kind, are unknown.
// A stopping rule that tested the same thresholds has decided; else the whole interval of the median must lie beyond a
// threshold, and a value without samples counts as exact. For no_change the number is how much a counter grew, or how
// fast; a text says why nobody can tell, which is unknown.
Assessment assess(const results::Measurement& measurement, const Expectation& expectation);

// A counter against no_change; unknown where nobody can tell how much it grew.
Assessment assess(const results::Delta& delta, const Expectation& expectation);

}  // namespace muster::healthcheck
