// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/render/cases.hpp"

namespace muster::results {

// The Common Test Report Format 0.0.0 (https://ctrf.io, schema of npm's ctrf 0.3.0). It knows no error: what is unknown
// is failed, and what warns is passed; rawStatus has muster's own word.
std::string ctrf(const Cases& cases);

}  // namespace muster::results
