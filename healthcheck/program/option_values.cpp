// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/option_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "results/strings/suggest.hpp"
#include "results/values/quantity.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view prefixes = "KMGTPE";

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> finite(std::string_view text) {
  const auto number = number_of<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

// The power of 1024 of a unit such as "", "B", "k", "KB" or "KiB".
std::optional<std::size_t> power_of(std::string unit) {
  std::ranges::transform(unit, unit.begin(), [](unsigned char letter) { return std::toupper(letter); });
  if (unit.empty() || unit == "B") return 0;
  const auto prefix = prefixes.find(unit.front());
  const auto rest = unit.substr(1);
  const bool is_unit = rest.empty() || rest == "B" || rest == "I" || rest == "IB";
  return prefix != prefixes.npos && is_unit ? std::optional(prefix + 1) : std::nullopt;
}

}  // namespace

std::string why_no_whole_number(std::string_view text) {
  return number_of<std::size_t>(text) ? "" : fmt::format("'{}' is not a whole number of 0 or more", text);
}

std::string why_no_number(std::string_view text) {
  return finite(text) ? "" : fmt::format("'{}' is not a number", text);
}

std::string why_no_positive_number(std::string_view text) {
  const auto number = finite(text);
  return number && *number > 0 ? "" : fmt::format("'{}' is not a number above 0", text);
}

std::string why_no_choice(std::string_view text, const std::vector<std::string>& choices) {
  if (std::ranges::find(choices, text) != choices.end()) return "";
  const auto meant = results::suggestion(text, choices);
  return fmt::format("'{}' is not one of {}{}{}", text, fmt::join(choices, ", "), meant.empty() ? "" : ".", meant);
}

std::string why_no_also(std::string_view text, const std::vector<std::string>& formats) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals + 1 == text.size())
    return fmt::format("'{}' is not FORMAT=FILE, such as {}=FILE", text, formats.front());
  if (auto reason = why_no_choice(text.substr(0, equals), formats); !reason.empty()) return reason;
  return text.substr(equals + 1) == "-" ? fmt::format("'{}' names no file; --format prints on stdout", text) : "";
}

std::string why_no_size(std::string_view text, std::size_t least) {
  const auto size = size_of(text);
  if (!size) return fmt::format("'{}' is not a size such as 512M", text);
  if (*size >= least) return "";
  const results::Quantity bytes{.value = static_cast<double>(least), .unit = results::Unit::byte};
  return fmt::format("'{}' is less than {}", text, results::to_text(bytes));
}

std::optional<std::size_t> size_of(std::string_view text) {
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = number_of<std::size_t>(text.substr(0, end));
  text.remove_prefix(end);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const auto power = power_of(std::string(text));
  if (!number || !power) return std::nullopt;
  const std::size_t unit = std::size_t{1} << (10 * *power);
  return *number <= std::numeric_limits<std::size_t>::max() / unit ? std::optional(*number * unit) : std::nullopt;
}

std::optional<std::chrono::seconds> time_span_of(std::string_view text) {
  constexpr std::chrono::days most{36500};
  unsigned number = 0;
  const auto* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || unit + 1 != end) return std::nullopt;
  std::chrono::seconds span{};
  switch (*unit) {
    case 's':
      span = std::chrono::seconds(number);
      break;
    case 'm':
      span = std::chrono::minutes(number);
      break;
    case 'h':
      span = std::chrono::hours(number);
      break;
    case 'd':
      span = std::chrono::days(number);
      break;
    default:
      return std::nullopt;
  }
  return span <= most ? std::optional(span) : std::nullopt;
}

}  // namespace muster::healthcheck
