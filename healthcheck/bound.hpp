// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "healthcheck/profile.hpp"
#include "results/measurement.hpp"
#include "results/verdict.hpp"

namespace muster::healthcheck {

struct Finding {
  results::Status status = results::Status::unknown;
  std::string reason;  // "371 GB/s is below 440 GB/s"
};

// "at least 465 GB/s (fails below 440 GB/s)"
std::string to_text(const Expectation& expectation);

// One fact against a bound that needs no peers: at_least, at_most, equals, within, one_of, efficiency.
// A number above its physical limit is unknown, whatever the bound. A value of another unit or kind is unknown.
Finding hold(const results::Measurement& measurement, const Expectation& expectation);

// A counter against no_change; a counter that went down was reset or wrapped: unknown.
Finding hold(const results::Delta& delta, const Expectation& expectation);

// One finding for each of `values`, which are the same metric of several components, against the others among them.
// peers: modified z below -3.5 and a gap of at least max(3 %, 4 x noise); fewer than 4 others: skip.
// `second` holds the second look at the same components in the same order, or is empty: then warn at most.
std::vector<Finding> hold_peers(std::span<const double> values, std::span<const double> second,
                                const Expectation& expectation);

// majority: at least 3 values and one of them held by more than half; otherwise nobody is accused (skip).
std::vector<Finding> hold_majority(std::span<const results::Value> values, const Expectation& expectation);

}  // namespace muster::healthcheck
