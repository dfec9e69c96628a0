// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "benchmarks/data/product_numbers.hpp"

namespace muster::benchmarks {

// Operations that the tensor cores of one multiprocessor finish in one clock, of dense matrices whose products are
// added up in the result's type; an addition and a multiplication are two. Nothing for a compute capability that is not
// known, or that has no such arithmetic. Sources: NVIDIA A100 white paper (312 Top/s of fp16 by 108 multiprocessors at
// 1410 MHz), H100 white paper (989 by 132 at 1830 MHz; fp64: 67 at 1980 MHz), HGX B200 data sheet (2250 by 148 at 1860
// MHz).
constexpr std::optional<double> peak_operations_per_clock(Arithmetic arithmetic, std::string_view capability) {
  struct Peak {
    std::string_view capability;
    std::array<double, arithmetics.size()> operations;  // fp64, tf32, bf16, fp16, fp8, int8
  };
  constexpr std::array<Peak, 3> peaks = {{
      {"8.0", {128, 1024, 2048, 2048, 0, 4096}},
      {"9.0", {256, 2048, 4096, 4096, 8192, 8192}},
      {"10.0", {128, 4096, 8192, 8192, 16384, 16384}},
  }};
  for (const auto& peak : peaks) {
    const double operations = peak.operations.at(static_cast<std::size_t>(arithmetic));
    if (peak.capability == capability && operations > 0) return operations;
  }
  return std::nullopt;
}

}  // namespace muster::benchmarks
