// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::topology {

// Views into `text`, which must outlive them; all of these copy nothing.
std::vector<std::string_view> lines(std::string_view text);
std::vector<std::string_view> words(std::string_view text);
template <std::same_as<std::string> Text>
void lines(Text&&) = delete;
template <std::same_as<std::string> Text>
void words(Text&&) = delete;
std::string_view trimmed(std::string_view text);

// "model name : Xeon" at the first ':' -> {"model name", "Xeon"}, both trimmed; nothing without the separator.
std::optional<std::pair<std::string_view, std::string_view>> key_value(std::string_view line, char separator);

// The value of the first line that has this key.
std::optional<std::string_view> value_of(std::string_view text, std::string_view key, char separator);

// A decimal or 0x number that is the whole text.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace muster::topology
