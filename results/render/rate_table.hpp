// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/values/report.hpp"

namespace muster::results {

// What a check measured of messages of several sizes, as nccl-tests prints it: one line for each size and kind, under a
// line of titles. Columns: size, type, reduction, placement, samples, median and 99th percentile of the time, algorithm
// and bus bandwidth, the 95 % interval of the latter's median, wrong elements; fewer where so many columns of a
// terminal do not hold them. Empty for any other check.
std::vector<std::string> rate_lines(const CheckRun& run, std::size_t columns);

}  // namespace muster::results
