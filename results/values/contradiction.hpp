// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/values/report.hpp"

namespace muster::results {

// Where a report says one thing and another: a status that its verdicts do not give, a check of another host or one
// that was asked for by name and is not there, a value that is not the median of its samples, a verdict about a value
// that no fact of its run has. Empty where it does not. Only a report that is not finished, or not judged, may be
// unknown without a verdict that is.
std::string contradiction(const Report& report);

// The same of all but facts.
std::string contradiction_without_facts(const Report& report);

// Throws Error where there is one.
void expect_no_contradiction(const Report& report);

}  // namespace muster::results
