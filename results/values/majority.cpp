// SPDX-License-Identifier: Apache-2.0
#include "results/values/majority.hpp"

#include <algorithm>

namespace muster::results {

std::optional<std::size_t> majority(std::span<const Value> values) {
  if (values.size() < min_for_majority) return std::nullopt;
  const auto holders = [&](const Value& value) { return std::ranges::count(values, value); };
  const auto mode = std::ranges::max_element(values, {}, holders);
  if (2 * static_cast<std::size_t>(holders(*mode)) <= values.size()) return std::nullopt;
  return static_cast<std::size_t>(mode - values.begin());
}

}  // namespace muster::results
