// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"

namespace muster::healthcheck {

// Runs the check between two readings of the evidence and ends the run with its outcome; never throws. Whether the
// check came to its own end: an error may also be of the evidence alone.
bool run_with_evidence(Check& check, Context& context, results::CheckRun& run, const Context::Record& record);

}  // namespace muster::healthcheck
