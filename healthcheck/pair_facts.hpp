// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "results/measurement.hpp"

// What pairs of hosts say of each of them. Labels: "host" sends, "partner" takes, and "rail" is the number of the
// ports, which are "port" of "nic" and "partner_port" of "partner_nic". Pure.
namespace muster::healthcheck {

// The same with the two ends exchanged.
results::Labels seen_from_partner(results::Labels labels);

// For each host the middle of its pairs, of two the better, with the rest of its labels: a slow host spoils all pairs
// that it is in, and at most one of any other.
std::vector<results::Measurement> middle_pairs(const std::vector<results::Measurement>& pairs, std::string_view metric);

// Pairs that broke, each with its reason, by the end that broke more often on that rail; where both did alike, nobody
// can tell, and "host" is both. Once for each culprit.
std::vector<results::Measurement> culprits(const std::vector<results::Measurement>& broken, std::string_view metric);

}  // namespace muster::healthcheck
