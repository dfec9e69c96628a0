// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "results/render/catalogue.hpp"

namespace muster::healthcheck {

// What this installation knows of metrics and faults. Its files are read when a renderer first asks. What it gives
// throws UsageError where they cannot be read.
const results::Catalogue& known_catalogue();

}  // namespace muster::healthcheck
