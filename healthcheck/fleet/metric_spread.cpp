// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/metric_spread.hpp"

#include <algorithm>
#include <cmath>

namespace muster::healthcheck::fleet {

std::array<double, spread_shares.size()> quantiles_of(std::vector<double> values) {
  std::array<double, spread_shares.size()> found{};
  auto begin = values.begin();  // what is before is not greater than what comes
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto rank = std::llround(spread_shares.at(i) * static_cast<double>(values.size() - 1));
    const auto at = values.begin() + rank;
    if (at >= begin) {
      std::nth_element(begin, at, values.end());
      begin = at;
    }
    found.at(i) = rounded(*at);
  }
  return found;
}

double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value == 0 ? 0 : std::copysign(1e300, value);
  const double step = std::pow(10, std::floor(std::log10(std::abs(value))) - 4);
  return step >= 1 ? std::round(value / step) * step : std::round(value * std::round(1 / step)) / std::round(1 / step);
}

}  // namespace muster::healthcheck::fleet
