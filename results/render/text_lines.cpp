// SPDX-License-Identifier: Apache-2.0
#include "results/render/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/strings/utf8.hpp"

namespace muster::results {
namespace {

std::string_view escape_code(Status status) {
  switch (status) {
    case Status::pass:
      return "\x1b[32m";  // green
    case Status::warn:
      return "\x1b[33m";  // yellow
    case Status::unknown:
      return "\x1b[35m";  // magenta
    case Status::fail:
      return "\x1b[1;31m";  // bold red
    case Status::skip:
      return "\x1b[2m";  // dim
  }
  return "";
}

Labels without_host(Labels labels) {
  labels.erase("host");
  return labels;
}

}  // namespace

std::string painted(Status status, std::string_view text, Colour colour) {
  if (colour == Colour::never) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape_code(status), text);
}

std::string status_cell(Status status, Colour colour) {
  return painted(status, padded(capitals(to_text(status)), status_width), colour);
}

std::string line(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string indented(std::string_view text, std::size_t by, std::size_t columns) {
  std::string lines;
  for (const auto& each : folded(text, columns - std::min(2 * columns / 3, by)))
    lines += line(std::string(by, ' ') + each);
  return lines;
}

std::string with_rest(const std::string& beginning, std::size_t width, std::string_view rest, std::size_t columns) {
  const std::size_t left = width + 2;
  if (rest.empty()) return line(beginning);
  if (left + results::columns(printable(rest)) > columns && 3 * left > 2 * columns)
    return line(beginning) + indented(rest, indent + 2, columns);
  std::string lines;
  for (const auto& each : folded(rest, columns - std::min(columns, left)))
    lines += line((lines.empty() ? beginning + "  " : std::string(left, ' ')) + each);
  return lines;
}

std::string row_line(const std::string& head, std::size_t head_width, const Row& row,
                     std::span<const std::size_t> width, std::size_t columns, std::optional<std::size_t> right) {
  auto beginning = head;
  std::size_t so_wide = head_width;
  std::string cells;
  for (std::size_t column = 0; column + 1 < row.size(); ++column) {
    if (width[column] == 0) continue;
    beginning += "  " + padded(row[column], width[column], column == right ? Side::right : Side::left);
    so_wide += 2 + width[column];
    if (!row[column].empty()) cells += row[column] + ": ";
  }
  if (so_wide <= columns) return with_rest(beginning, so_wide, row.back(), columns);
  return with_rest(head, head_width, cells + row.back(), columns);
}

std::string component(const std::string& host, const Labels& labels, bool several_hosts) {
  const std::string text = to_text(without_host(labels));
  if (text.empty()) return host;
  return several_hosts ? host + ": " + text : text;
}

}  // namespace muster::results
