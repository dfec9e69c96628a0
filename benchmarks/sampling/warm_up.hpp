// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace muster::benchmarks {

// How many samples at the start are warm-up: the truncation after which the mean is known best (MSER-5, White, Cobb and
// Spratt, 2000), a multiple of 5 and at most half of the samples. 0 for fewer than 20.
std::size_t warm_up(std::span<const double> values);

// Correlation of each sample with the next; 0 where there are fewer than 3 or all are equal.
double autocorrelation(std::span<const double> values);

}  // namespace muster::benchmarks
