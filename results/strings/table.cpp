// SPDX-License-Identifier: Apache-2.0
#include "results/strings/table.hpp"

#include <algorithm>
#include <ranges>

#include "results/strings/utf8.hpp"

namespace muster::results {
namespace {

bool is_number(std::string_view word) { return !word.empty() && word.find_first_not_of("0123456789.-") == word.npos; }

}  // namespace

std::string padded(std::string_view text, std::size_t width, Side side) {
  std::string cell = printable(text);
  const std::size_t missing = width - std::min(width, columns(cell));
  cell.insert(side == Side::left ? cell.size() : 0, missing, ' ');
  return cell;
}

std::vector<std::size_t> widths(std::span<const Row> rows) {
  std::vector<std::size_t> widest;
  for (const Row& row : rows) {
    widest.resize(std::max(widest.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column)
      widest[column] = std::max(widest[column], columns(printable(row[column])));
  }
  return widest;
}

std::vector<std::string> folded(std::string_view text, std::size_t width) {
  const std::string clean = printable(text);
  if (columns(clean) <= width) return {clean};
  std::vector<std::string> words;
  for (const auto part : std::views::split(clean, ' ')) {
    const std::string word(part.begin(), part.end());
    if (!words.empty() && is_number(words.back()))
      words.back() += " " + word;
    else
      words.push_back(word);
  }
  std::vector<std::string> lines;
  for (const auto& word : words) {
    if (lines.empty() || columns(lines.back()) + 1 + columns(word) > width)
      lines.push_back(word);
    else
      lines.back() += " " + word;
  }
  return lines;
}

std::vector<std::string> wrapped(std::span<const std::string> items, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = printable(items[i]) + (i + 1 < items.size() ? "," : "");
    if (lines.empty() || columns(lines.back()) + 1 + columns(item) > width)
      lines.push_back(item);
    else
      lines.back() += " " + item;
  }
  return lines;
}

}  // namespace muster::results
