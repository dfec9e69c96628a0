// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace muster::results {

// The logarithm of the probability that so many of n trials hit, each with the probability `share`, in (0, 1).
double log_binomial(std::size_t n, std::size_t hits, double share);

}  // namespace muster::results
