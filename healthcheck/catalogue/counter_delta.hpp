// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "results/values/report.hpp"

// What two readings of a counter do not tell.
namespace muster::healthcheck {

// Why nobody can tell how much a counter grew: it went down. Nothing where that is known.
std::optional<std::string> why_unknown(const results::Delta& delta);

// How the text begins that stands for the growth of a counter which was full before and after.
inline constexpr std::string_view full_counter = "stands at the most that it can count,";

// That text; nothing for a counter that is not full, or that became so meanwhile.
std::optional<std::string> why_full(const results::Delta& delta);

}  // namespace muster::healthcheck
