// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/metric_spread.hpp"

#include <cmath>

namespace muster::healthcheck::fleet {

std::array<double, spread_shares.size()> quantiles_of(std::span<const double> values) {
  std::array<double, spread_shares.size()> found{};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto rank = std::llround(spread_shares.at(i) * static_cast<double>(values.size() - 1));
    found.at(i) = rounded(values[static_cast<std::size_t>(rank)]);
  }
  return found;
}

double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value == 0 ? 0 : std::copysign(1e300, value);
  const double step = std::pow(10, std::floor(std::log10(std::abs(value))) - 4);
  return step >= 1 ? std::round(value / step) * step : std::round(value * std::round(1 / step)) / std::round(1 / step);
}

}  // namespace muster::healthcheck::fleet
