// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/catalogue/metric.hpp"
#include "results/values/measurement.hpp"

// What pairs of ports say of each of them. Labels: "port" of "nic" sends, "partner_port" of "partner_nic" takes, which
// "guid" and "partner_guid" tell too; where they are of two hosts, "host" sends and "partner" takes. Pure.
namespace muster::healthcheck {

// The same with the two ends exchanged.
results::Labels seen_from_partner(results::Labels labels);

// The labels of an end with those of its partner, which is named as an end too; without names that only one has.
results::Labels with_partner(results::Labels labels, const results::Labels& partner);

// For each end with at least so many pairs the middle of them, of two the better, with the rest of its labels: a slow
// one spoils all pairs that it is in, and at most one of any other.
std::vector<results::Measurement> middle_pairs(const std::vector<results::Measurement>& pairs, std::string_view metric,
                                               Better better, std::size_t least = 1);

// Pairs that broke, each with its reason, by the end that broke more often; where both did alike, nobody can tell, and
// "host", or on one host "nic", is both. Once for each culprit.
std::vector<results::Measurement> culprits(const std::vector<results::Measurement>& broken, std::string_view metric);

}  // namespace muster::healthcheck
