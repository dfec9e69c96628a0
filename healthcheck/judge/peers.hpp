// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/judge/bound.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// Fewer others than these accuse nobody, of a machine's components and of a fleet's nodes.
inline constexpr std::size_t min_other_peers = 4;

// How far from the median of its peers, as a share of it, one must lie that is accused, where healthy ones lie so far
// apart.
constexpr double min_peer_gap(double noise) { return std::max(0.03, 4 * noise); }

// What two facts of one metric must have in common to be peers: their labels without those that name a component.
results::Labels kind_of(const results::Labels& labels);

// One finding for each of `values`, which are the same metric of several components, against the others among them:
// modified z beyond -3.5 and a gap of at least max(3 %, 4 x noise); where nobody knows which is worse: skip.
// Fewer than 4 others: skip. `second` holds the second look at the same components in the same order, or is empty:
// then warn at most, as where the expectation states no noise.
std::vector<Assessment> assess_peers(std::span<const results::Quantity> values,
                                     std::span<const results::Quantity> second, const Expectation& expectation);

// majority: at least 3 values and one of them held by more than half; otherwise nobody is accused (skip). Where some
// have a better one, a value that the expectation calls good or more of what more is better, those are right and most
// are not.
std::vector<Assessment> assess_majority(std::span<const results::Value> values, const Expectation& expectation);

}  // namespace muster::healthcheck
