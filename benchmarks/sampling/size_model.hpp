// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace muster::benchmarks {

struct Timed {
  double bytes = 0;
  double seconds = 0;
};

// T(S) = latency + S / bandwidth (Hockney, 1994).
struct SizeModel {
  double latency_seconds = 0;
  double bytes_per_second = 0;
  double worst_residual = 0;  // greatest |T - T(S)| / T over the sizes: how well the two numbers say it all
};

// Fitted so that the relative errors are least in square. None for fewer than 3 sizes, or where larger ones are not
// slower.
std::optional<SizeModel> fit(std::span<const Timed> timed);

}  // namespace muster::benchmarks
