// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace muster::results {

// Fit for a terminal line: control characters become spaces, each byte that is not UTF-8 becomes '?'.
std::string printable(std::string_view text);

// Whether it is UTF-8 without control characters other than tabs and line feeds.
bool is_plain_text(std::string_view text);

// How many columns printable text takes: one for each code point.
std::size_t columns(std::string_view text);

// Printable text of at most `bytes` bytes (3 or more), cut between code points; "..." marks the cut.
std::string shortened(std::string_view text, std::size_t bytes);

}  // namespace muster::results
