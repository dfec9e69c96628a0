// SPDX-License-Identifier: Apache-2.0
#include "results/html/expected.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace muster::results::html {
namespace {

struct Factor {
  std::string_view name;
  double value;
};

constexpr std::array prefixes{Factor{"E", 1e18}, Factor{"P", 1e15}, Factor{"T", 1e12}, Factor{"G", 1e9},
                              Factor{"M", 1e6},  Factor{"k", 1e3},  Factor{"m", 1e-3}, Factor{"µ", 1e-6},
                              Factor{"n", 1e-9}, Factor{"p", 1e-12}};
constexpr std::array sizes{Factor{"B", 1}, Factor{"KiB", 1024.0}, Factor{"MiB", 1048576.0}, Factor{"GiB", 1073741824.0},
                           Factor{"TiB", 1099511627776.0}};

// Takes a number off the beginning of the text, and blanks before and after it.
std::optional<double> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return number;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ' || text[word.size()] == ')');
}

std::string_view spelt(Unit unit) { return unit == Unit::bit_per_second ? "b/s" : symbol(unit); }

// What follows a word of the text.
std::optional<std::string_view> after(std::string_view text, std::string_view word) {
  const auto at = text.find(word);
  return at == text.npos ? std::nullopt : std::optional(text.substr(at + word.size()));
}

// A share of the limit, "60 % of the physical limit", or an amount.
std::optional<double> bound(std::string_view text, Unit unit, const std::optional<Limit>& limit) {
  auto rest = text;
  const auto share = take_number(rest);
  if (!share || !rest.starts_with('%')) return amount(text, unit);
  return limit ? std::optional(*share / 100 * limit->value.value) : std::nullopt;
}

}  // namespace

std::optional<double> amount(std::string_view text, Unit unit) {
  const auto number = take_number(text);
  if (!number) return std::nullopt;
  if (unit == Unit::one || starts_with_word(text, spelt(unit))) return number;
  for (const auto& [name, factor] : prefixes)
    if (text.starts_with(name) && starts_with_word(text.substr(name.size()), spelt(unit))) return *number * factor;
  return std::nullopt;
}

std::optional<double> size_of(std::string_view label) {
  const auto number = take_number(label);
  if (!number || !(*number > 0)) return std::nullopt;
  for (const auto& [name, factor] : sizes)
    if (label == name) return *number * factor;
  return std::nullopt;
}

std::optional<Edges> edges(const Measurement& measurement, std::string_view expected) {
  const auto* quantity = std::get_if<Quantity>(&measurement.value);
  if (quantity == nullptr) return std::nullopt;
  if (const auto& rule = measurement.stopping; rule && rule->pass_edge && rule->fail_edge)
    return Edges{*rule->pass_edge >= *rule->fail_edge, *rule->pass_edge, *rule->fail_edge};
  const bool at_least = expected.starts_with("at least ");
  const std::string_view side = at_least ? "at least " : "at most ";
  if (!expected.starts_with(side)) return std::nullopt;
  const auto good = bound(expected.substr(side.size()), quantity->unit, measurement.limit);
  if (!good) return std::nullopt;
  const auto beyond = after(expected, at_least ? "s below " : "s above ");
  const auto bad = beyond ? bound(*beyond, quantity->unit, measurement.limit) : good;
  return Edges{at_least, *good, bad.value_or(*good)};
}

}  // namespace muster::results::html
