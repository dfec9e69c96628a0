// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::results {

enum class Side { left, right };

// The printable text with spaces up to a width in columns; longer text stays whole.
std::string padded(std::string_view text, std::size_t width, Side side = Side::left);

using Row = std::vector<std::string>;

// Width of each column: that of its widest cell. Rows may differ in length.
std::vector<std::size_t> widths(std::span<const Row> rows);

// Words of a text in lines of at most so many columns; a longer word stays whole, and a number with its unit. A text of
// one line that fits stays as it is.
std::vector<std::string> folded(std::string_view text, std::size_t width);

// Items joined by ", " into lines of at most `width` columns; an item is never broken.
std::vector<std::string> wrapped(std::span<const std::string> items, std::size_t width);

}  // namespace muster::results
