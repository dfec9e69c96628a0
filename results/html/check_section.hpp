// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "results/values/report.hpp"

namespace muster::results::html {

// Markup of one run of a check: how it ended, and its numbers beside what was expected of them, in at most so many
// bytes. It is open where it needs attention. The number makes its ids unique.
std::string check_section(const CheckRun& run, std::size_t number, bool several_hosts, std::size_t most);

}  // namespace muster::results::html
