// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace muster::results {

// What an enumeration is called in files: one name for each enumerator, in their order.
template <std::size_t count>
using Names = std::array<std::string_view, count>;

template <typename Enum, std::size_t count>
constexpr std::string_view name_of(const Names<count>& names, Enum enumerator) {
  return names.at(static_cast<std::size_t>(enumerator));
}

template <typename Enum, std::size_t count>
constexpr std::optional<Enum> named(const Names<count>& names, std::string_view name) {
  const auto at = std::ranges::find(names, name);
  if (at == names.end()) return std::nullopt;
  return static_cast<Enum>(at - names.begin());
}

}  // namespace muster::results
