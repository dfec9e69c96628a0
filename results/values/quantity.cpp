// SPDX-License-Identifier: Apache-2.0
#include "results/values/quantity.hpp"

#include <fmt/format.h>

#include <cmath>

#include "results/strings/names.hpp"

namespace muster::results {
namespace {

constexpr Names<9> symbols = {"1", "B", "B/s", "bit/s", "s", "Hz", "W", "°C", "op/s"};

struct Prefix {
  double factor;
  std::string_view name;
};

constexpr std::array prefixes = {Prefix{1e18, "E"}, Prefix{1e15, "P"}, Prefix{1e12, "T"}, Prefix{1e9, "G"},
                                 Prefix{1e6, "M"},  Prefix{1e3, "k"},  Prefix{1, ""},     Prefix{1e-3, "m"},
                                 Prefix{1e-6, "µ"}, Prefix{1e-9, "n"}, Prefix{1e-12, "p"}};

double three_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)))) - 2;
  const double step = std::pow(10.0, exponent);
  return step == 0 ? value : std::round(value / step) * step;
}

// Seconds have no large prefixes, bytes, bits and operations no small ones, counts and degrees none.
bool takes(Unit unit, const Prefix& prefix) {
  switch (unit) {
    case Unit::one:
    case Unit::celsius:
      return prefix.factor == 1;
    case Unit::second:
      return prefix.factor <= 1;
    case Unit::hertz:
    case Unit::watt:
      return true;
    case Unit::byte:
    case Unit::byte_per_second:
    case Unit::bit_per_second:
    case Unit::operation_per_second:
      return prefix.factor >= 1;
  }
  return false;
}

Prefix prefix_for(Unit unit, double value) {
  Prefix smallest{1, ""};
  for (const Prefix& prefix : prefixes) {
    if (!takes(unit, prefix)) continue;
    if (std::abs(value) >= prefix.factor * (1 - 1e-9)) return prefix;
    smallest = prefix;
  }
  return value == 0 ? Prefix{1, ""} : smallest;
}

bool exact_count(double value) { return std::abs(value) < 1e15 && std::floor(value) == value; }

}  // namespace

std::string_view symbol(Unit unit) { return name_of(symbols, unit); }

std::optional<Unit> unit_from(std::string_view symbol) { return named<Unit>(symbols, symbol); }

std::string to_text(Quantity quantity) {
  if (quantity.unit == Unit::one && exact_count(quantity.value)) return fmt::format("{:.0f}", quantity.value);
  const double value = three_digits(quantity.value);
  if (quantity.unit == Unit::one) return fmt::format("{:g}", value);
  const Prefix prefix = prefix_for(quantity.unit, value);
  const auto name = quantity.unit == Unit::bit_per_second ? "b/s" : symbol(quantity.unit);
  return fmt::format("{:g} {}{}", value / prefix.factor, prefix.name, name);
}

std::string percent(double share) {
  return std::abs(share) < 0.1 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

}  // namespace muster::results
