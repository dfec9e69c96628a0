// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace muster::results {

// Unprefixed SI units; prefixes (GB/s, Gb/s, ms) exist only in to_text().
enum class Unit { one, byte, byte_per_second, bit_per_second, second, hertz, watt, celsius, operation_per_second };

struct Quantity {
  double value = 0;
  Unit unit = Unit::one;

  bool operator==(const Quantity&) const = default;
};

inline Quantity count(std::size_t things) { return {.value = static_cast<double>(things), .unit = Unit::one}; }

// The unit as reports spell it: "1", "B", "B/s", "bit/s", "s", "Hz", "W", "°C", "op/s".
std::string_view symbol(Unit unit);
std::optional<Unit> unit_from(std::string_view symbol);

// For people: three significant digits and a decimal prefix, "371 GB/s", "400 Gb/s", "1.25 ms"; counts are exact, "8".
std::string to_text(Quantity quantity);

// A share for people, to two digits: 0.075 is "7.5 %", 1.5 is "150 %".
std::string percent(double share);

}  // namespace muster::results
