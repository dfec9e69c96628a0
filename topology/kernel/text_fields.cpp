// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/text_fields.hpp"

#include <charconv>

namespace muster::topology {
namespace {

constexpr std::string_view blanks = " \t\n\r\v\f";

}  // namespace

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const auto end = text.find('\n');
    found.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return found;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  for (auto start = text.find_first_not_of(blanks); start != std::string_view::npos;) {
    const auto end = text.find_first_of(blanks, start);
    found.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(blanks, end);
  }
  return found;
}

std::string_view trimmed(std::string_view text) {
  const auto start = text.find_first_not_of(blanks);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(blanks) - start + 1);
}

std::optional<std::pair<std::string_view, std::string_view>> key_value(std::string_view line, char separator) {
  const auto at = line.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return std::pair{trimmed(line.substr(0, at)), trimmed(line.substr(at + 1))};
}

std::optional<std::string_view> value_of(std::string_view text, std::string_view key, char separator) {
  for (const auto line : lines(text))
    if (const auto pair = key_value(line, separator); pair && pair->first == key) return pair->second;
  return std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  const auto digits = hexadecimal ? text.substr(2) : text;
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (hexadecimal && number < 0) return std::nullopt;
  return number;
}

}  // namespace muster::topology
