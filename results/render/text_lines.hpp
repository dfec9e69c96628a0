// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "results/render/text.hpp"
#include "results/strings/table.hpp"
#include "results/values/report.hpp"

// What the lines of the table are made of.
namespace muster::results {

inline constexpr std::size_t status_width = 7;           // "UNKNOWN"
inline constexpr std::size_t indent = status_width + 4;  // of what stands below a row

std::string painted(Status status, std::string_view text, Colour colour);
std::string status_cell(Status status, Colour colour);

// Without blanks at its end, and with a newline.
std::string line(std::string text);

// Below what it belongs to, in as many lines as it takes.
std::string indented(std::string_view text, std::size_t by, std::size_t columns);

// After what begins a line and is so wide, folded beside it, or below where little room is left there.
std::string with_rest(const std::string& beginning, std::size_t width, std::string_view rest, std::size_t columns);

// A row of a table after what begins its line, with one column on the right of its place; where the terminal is too
// narrow for columns, one cell after the other.
std::string row_line(const std::string& head, std::size_t head_width, const Row& row,
                     std::span<const std::size_t> width, std::size_t columns, std::optional<std::size_t> right = {});

// The labels without the host, which stands on its own where there are several; a host without labels is the component.
std::string component(const std::string& host, const Labels& labels, bool several_hosts);

}  // namespace muster::results
