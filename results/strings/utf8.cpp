// SPDX-License-Identifier: Apache-2.0
#include "results/strings/utf8.hpp"

#include <algorithm>

namespace muster::results {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Bytes of the code point that the text starts with, by table 3-7 of the Unicode standard; 0 when it is not UTF-8.
std::size_t code_point_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (second < least || second > most) return 0;
  return std::ranges::all_of(text.substr(2, size - 2), is_continuation) ? size : 0;
}

// C0, DEL and the C1 characters U+0080 to U+009F, which terminals obey too.
bool is_control(std::string_view code_point) {
  const auto first = static_cast<unsigned char>(code_point[0]);
  if (code_point.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(code_point[1]) < 0xA0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t size = code_point_size(text);
    if (size == 0)
      clean += '?';
    else if (is_control(text.substr(0, size)))
      clean += ' ';
    else
      clean += text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return clean;
}

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = code_point_size(text);
    if (size == 0 || (is_control(text.substr(0, size)) && text[0] != '\t' && text[0] != '\n')) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::size_t columns(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

std::string shortened(std::string_view text, std::size_t bytes) {
  std::string clean = printable(text);
  if (clean.size() <= bytes) return clean;
  std::size_t end = bytes - 3;
  while (end > 0 && is_continuation(clean[end])) --end;
  return clean.substr(0, end) + "...";
}

}  // namespace muster::results
