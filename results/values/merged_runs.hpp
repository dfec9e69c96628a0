// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "results/values/report.hpp"

namespace muster::results {

// For people: runs of one check on several components, such as eight GPUs, that ended alike become one, whose
// measurements say of which component they are, and which took as long as the longest. The others stay as they are.
std::vector<CheckRun> merged(const std::vector<CheckRun>& runs);

}  // namespace muster::results
