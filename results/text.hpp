// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "results/report.hpp"

namespace muster::results {

enum class Colour { never, always };

// The report as a table for people: problems first, worst first, one line each with the component and what to do,
// then one line per check, then the summary.
std::string to_text(const Report& report, Colour colour);

// "UNKNOWN"
std::string capitals(std::string_view status);

// One aligned line for a finished check, as `muster node` prints it while it goes.
std::string progress_line(const CheckRun& run, Colour colour);

}  // namespace muster::results
