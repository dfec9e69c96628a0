// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/size_model.hpp"

#include <algorithm>
#include <cmath>

namespace muster::benchmarks {

std::optional<SizeModel> fit(std::span<const Timed> timed) {
  if (timed.size() < 3) return std::nullopt;
  // Normal equations of the sum of (latency / T + slope * S / T - 1)^2.
  double aa = 0;
  double ab = 0;
  double bb = 0;
  double a = 0;
  double b = 0;
  for (const auto& [bytes, seconds] : timed) {
    const double x = 1 / seconds;
    const double y = bytes / seconds;
    aa += x * x;
    ab += x * y;
    bb += y * y;
    a += x;
    b += y;
  }
  const double determinant = aa * bb - ab * ab;
  const double latency = (a * bb - b * ab) / determinant;
  const double slope = (b * aa - a * ab) / determinant;
  if (!std::isfinite(latency) || !(slope > 0)) return std::nullopt;
  SizeModel model{.latency_seconds = latency, .bytes_per_second = 1 / slope};
  for (const auto& [bytes, seconds] : timed)
    model.worst_residual = std::max(model.worst_residual, std::abs(latency + slope * bytes - seconds) / seconds);
  return model;
}

}  // namespace muster::benchmarks
