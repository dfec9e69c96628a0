// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/values/report.hpp"

namespace muster::results {

// For people: sets that differ in the value of one label become one set, so that {gpu: 0}, {gpu: 1} and {gpu: 2} are
// {gpu: "0 to 2"}, and {kernel: add} and {kernel: copy} are {kernel: "add and copy"}. The others stay as they are.
std::vector<Labels> merged(std::vector<Labels> sets);

}  // namespace muster::results
