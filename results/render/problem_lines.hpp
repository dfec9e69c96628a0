// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/render/text.hpp"
#include "results/values/report.hpp"

namespace muster::results {

// What needs a person's attention, worst first, each with what to do; empty where nothing does.
std::string problem_lines(const Report& report, const View& view);

}  // namespace muster::results
