// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "results/values/report.hpp"

namespace muster::results::html {

// Where a value is good, and from where on it violates; in the unit of the measurement.
struct Edges {
  bool more_is_better = true;
  double good = 0;
  double bad = 0;
};

// What a verdict says was expected of the measurement: the exact edges of its stopping rule where it has them, else
// those of the sentence, "at least 465 GB/s (fails below 440 GB/s)", which has three digits. A share of the physical
// limit needs that limit. Nothing where the expectation is no limit, or there is none.
std::optional<Edges> edges(const Measurement& measurement, std::string_view expected);

// The number in the unit that such a text begins with: "465 GB/s (..." -> 465e9; nothing where there is none.
std::optional<double> amount(std::string_view text, Unit unit);

// Bytes of a size as labels spell it: "8B", "1 MiB", "16GiB"; nothing where it is none.
std::optional<double> size_of(std::string_view label);

}  // namespace muster::results::html
