// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "results/values/measurement.hpp"

namespace muster::results {

// With fewer values nobody is the majority.
inline constexpr std::size_t min_for_majority = 3;

// The place of the first value that more than half of at least three are equal to.
std::optional<std::size_t> majority(std::span<const Value> values);

}  // namespace muster::results
