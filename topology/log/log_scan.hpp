// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

// How fronts of lines are read: each function takes what it finds off the beginning of the text.
namespace muster::topology::front {

inline bool skip(std::string_view& text, std::string_view expected) {
  const bool is_there = text.starts_with(expected);
  if (is_there) text.remove_prefix(expected.size());
  return is_there;
}

inline void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

// A number at the beginning of the text, which then begins behind it.
template <class Number>
std::optional<Number> number(std::string_view& text) {
  Number found = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), found);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return found;
}

// What stands before the character, which is taken off with it; nothing where it is not near.
inline std::optional<std::string_view> before(std::string_view& text, char end, std::size_t most = 256) {
  const auto at = text.substr(0, most).find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const auto found = text.substr(0, at);
  text.remove_prefix(at + 1);
  return found;
}

}  // namespace muster::topology::front
