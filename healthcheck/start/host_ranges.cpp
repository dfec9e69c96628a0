// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/host_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "healthcheck/program/error.hpp"
#include "results/strings/utf8.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t max_shown = 200;  // bytes of a list
constexpr std::size_t max_shown_of_range = 50;

// "n[1-2]x" is {"n", "x"} with {{1, 2}} between them.
struct HostPattern {
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> numbers;
};

// Slurm (22.05) ends with 0 whatever the list, and makes other hosts of some lists than anybody means: the host "n]" of
// "n[1-2", n1 and n02 of "n[1, 2]", and another number of one of 20 digits. These are refused here. Text behind a
// range, which Slurm refuses, can mean only one thing: "gpu-[1-2].site" is read.
[[noreturn]] void refuse_list(std::string_view list, std::string_view place, std::string_view why) {
  throw UsageError(fmt::format("{}: '{}' is not a list of hosts, such as gpu-[0001-0100],login: {}", place,
                               results::shortened(list, max_shown), why));
}

// "0001-0003" -> 0001 0002 0003; "7" -> 7. The digits of the first number are those of all.
std::vector<std::string> numbers_of_range(std::string_view text, std::string_view list, std::string_view place) {
  const auto dash = text.find('-');
  const auto first = text.substr(0, dash);
  const auto last = dash == text.npos ? first : text.substr(dash + 1);
  const auto shown = results::shortened(text, max_shown_of_range);
  const auto number = [&](std::string_view digits) {
    const bool is_number =
        !digits.empty() && digits.size() < 19 && digits.find_first_not_of("0123456789") == digits.npos;
    if (!is_number) refuse_list(list, place, fmt::format("'{}' is not a number or a range of numbers", shown));
    return *topology::whole_number(digits);
  };
  const auto from = number(first);
  const auto to = number(last);
  if (to < from) refuse_list(list, place, fmt::format("the range '{}' ends before it begins", shown));
  if (to - from >= static_cast<std::int64_t>(max_hosts))
    refuse_list(list, place, fmt::format("the range '{}' has more than {} hosts", shown, max_hosts));
  std::vector<std::string> found;
  for (auto each = from; each <= to; ++each) found.push_back(fmt::format("{:0{}}", each, first.size()));
  return found;
}

std::vector<std::string> numbers_of(std::string_view text, std::string_view list, std::string_view place) {
  std::vector<std::string> found;
  for (auto rest = text;;) {
    const auto comma = rest.find(',');
    std::ranges::move(numbers_of_range(rest.substr(0, comma), list, place), std::back_inserter(found));
    if (found.size() > max_hosts) refuse_list(list, place, fmt::format("it has more than {} hosts", max_hosts));
    if (comma == rest.npos) return found;
    rest = rest.substr(comma + 1);
  }
}

HostPattern pattern_of(std::string_view text, std::string_view list, std::string_view place) {
  HostPattern pattern{.texts = {""}, .numbers = {}};
  while (!text.empty()) {
    const auto end = text.find_first_of("[]");
    pattern.texts.back() += text.substr(0, end);
    if (end == text.npos) break;
    const auto close = text.find_first_of("[]", end + 1);
    if (text[end] == ']') refuse_list(list, place, "a ']' has no '[' before it");
    if (close == text.npos || text[close] == '[') refuse_list(list, place, "a '[' has no ']' behind it");
    pattern.numbers.push_back(numbers_of(text.substr(end + 1, close - end - 1), list, place));
    pattern.texts.emplace_back();
    text = text.substr(close + 1);
  }
  return pattern;
}

// In Slurm's order: the last range runs fastest, then the first, then the second.
std::vector<std::string> names_of_pattern(const HostPattern& pattern) {
  std::vector<std::string> names{pattern.texts.front()};
  for (std::size_t i = 0; i < pattern.numbers.size(); ++i) {
    const auto& numbers = pattern.numbers[i];
    const auto& text = pattern.texts[i + 1];
    std::vector<std::string> longer;
    if (i + 1 == pattern.numbers.size())
      for (const auto& name : names)
        for (const auto& number : numbers) longer.push_back(name + number + text);
    else
      for (const auto& number : numbers)
        for (const auto& name : names) longer.push_back(name + number + text);
    names = std::move(longer);
  }
  return names;
}

// The parts of a list, between which stand commas and blanks that are not in brackets.
std::vector<std::string_view> parts_of(std::string_view list) {
  constexpr std::string_view separators = ", \t\r\n";
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  bool is_inside = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size()) is_inside = list[i] == '[' || (is_inside && list[i] != ']');
    if (i < list.size() && (is_inside || separators.find(list[i]) == separators.npos)) continue;
    if (i > begin) parts.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

}  // namespace

std::vector<std::string> expanded(std::string_view list, std::string_view place) {
  std::vector<std::string> names;
  for (const auto part : parts_of(list)) {
    const auto pattern = pattern_of(part, list, place);
    std::size_t count = 1;
    for (const auto& numbers : pattern.numbers) count = std::min(count * numbers.size(), max_hosts + 1);
    if (names.size() + count > max_hosts) refuse_list(list, place, fmt::format("it has more than {} hosts", max_hosts));
    std::ranges::move(names_of_pattern(pattern), std::back_inserter(names));
  }
  return names;
}

}  // namespace muster::healthcheck
