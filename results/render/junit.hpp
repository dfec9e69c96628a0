// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/render/cases.hpp"

namespace muster::results {

// JUnit's XML. A case has one outcome: what is unknown is an error alone, and what warns passes and says so, as CI
// systems know neither. A character that XML 1.0 forbids is replaced.
std::string junit(const Cases& cases);

}  // namespace muster::results
