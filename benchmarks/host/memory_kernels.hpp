// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace muster::benchmarks::host {

// The four of McCalpin's STREAM (https://www.cs.virginia.edu/stream/ref.html).
enum class Kernel { copy, scale, add, triad };

inline constexpr std::array kernels{Kernel::copy, Kernel::scale, Kernel::add, Kernel::triad};

std::string_view to_text(Kernel kernel);

// As STREAM counts: each operand read once, the result written once, no read for ownership.
constexpr std::size_t bytes_per_element(Kernel kernel) {
  return (kernel == Kernel::copy || kernel == Kernel::scale ? 2 : 3) * sizeof(double);
}

// to = first, factor * first, first + second, or first + factor * second; `second` is not read by copy and scale.
// All operands that are read are as long as `to` and do not overlap it. When it returns, all stores are visible.
using KernelFunction = void (*)(std::span<double> to, std::span<const double> first, std::span<const double> second,
                                double factor);

// The kernels in the order of the enumerators, for one instruction set.
struct KernelSet {
  std::string_view instructions;
  std::array<KernelFunction, kernels.size()> functions;

  KernelFunction operator[](Kernel kernel) const { return functions[static_cast<std::size_t>(kernel)]; }
};

// Plain loops for any processor.
const KernelSet& portable_kernels();

// Every set that this processor can execute, fastest first, the portable one last; all but that store past the caches.
std::vector<KernelSet> supported_kernels();

}  // namespace muster::benchmarks::host
