// SPDX-License-Identifier: Apache-2.0
#include "results/html/scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <ranges>

namespace muster::results::html {

Scale::Scale(Kind kind, double low, double high, double begin, double end)
    : kind_(kind), low_(low), high_(high), begin_(begin), end_(end) {}

double Scale::position(double value) const {
  if (kind_ == Kind::linear) return high_ > low_ ? (value - low_) / (high_ - low_) : 0.5;
  return high_ > low_ && value > 0 ? std::log(value / low_) / std::log(high_ / low_) : 0;
}

double Scale::at(double value) const {
  const double share = position(value);
  return begin_ + (end_ - begin_) * (std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : share > 0 ? 1.0 : 0.0);
}

std::vector<double> linear_ticks(double high) {
  if (!(high > 0) || !std::isfinite(high)) return {0, 1};
  const double decade = std::pow(10, std::floor(std::log10(high)));
  double step = decade;
  for (const double part : {0.2, 0.25, 0.5, 1.0, 2.0})
    if (high / (part * decade) <= 6) {
      step = part * decade;
      break;
    }
  const auto count = std::ceil(high / step - 1e-9);
  if (!(step > 0) || !(count >= 1)) return {0, high};
  std::vector<double> ticks;
  for (double i = 0; i <= count; ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high) {
  constexpr double least = 1e-12, most = 1e15;
  low = std::clamp(low, least, most);
  high = std::clamp(high, low, most);
  const double first = std::floor(std::log10(low)), last = std::ceil(std::log10(high));
  std::vector<double> all;
  for (double power = first; power <= last; ++power)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor == 1 || last - first <= 3) all.push_back(factor * std::pow(10, power));
  const auto begin = std::ranges::upper_bound(all, low * (1 + 1e-9)) - all.begin();
  const auto end = std::ranges::lower_bound(all, high * (1 - 1e-9)) - all.begin();
  const auto from = std::max<std::ptrdiff_t>(0, begin - 1);
  return {all.begin() + from, all.begin() + std::min(std::ssize(all), std::max(end, from + 1) + 1)};
}

std::vector<double> spread(const std::vector<double>& places, double gap, double low, double high) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t each) { return places[each]; });
  auto moved = places;
  double least = low;
  for (const auto each : order) {
    moved[each] = std::max(moved[each], least);
    least = moved[each] + gap;
  }
  double most = high;
  for (const auto each : std::views::reverse(order)) {
    moved[each] = std::min(moved[each], most);
    most = moved[each] - gap;
  }
  return moved;
}

}  // namespace muster::results::html
