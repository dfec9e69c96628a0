// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "healthcheck/compare/comparison.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::compare {

// Holds B against A. Which way a rate is better, what names a component and what lasts is in metrics.json; what is bad
// is what the profiles of the two have said.
Comparison comparison_of(const results::Report& a, const results::Report& b);

}  // namespace muster::healthcheck::compare
