// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/memory_kernels.hpp"

namespace muster::benchmarks::host {
namespace {

template <Kernel kernel>
void run(std::span<double> to, std::span<const double> first, std::span<const double> second, double factor) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    if constexpr (kernel == Kernel::copy) to[i] = first[i];
    if constexpr (kernel == Kernel::scale) to[i] = factor * first[i];
    if constexpr (kernel == Kernel::add) to[i] = first[i] + second[i];
    if constexpr (kernel == Kernel::triad) to[i] = first[i] + factor * second[i];
  }
}

}  // namespace

std::string_view to_text(Kernel kernel) {
  constexpr std::array<std::string_view, kernels.size()> names{"copy", "scale", "add", "triad"};
  return names.at(static_cast<std::size_t>(kernel));
}

const KernelSet& portable_kernels() {
  static constexpr KernelSet set{"portable",
                                 {run<Kernel::copy>, run<Kernel::scale>, run<Kernel::add>, run<Kernel::triad>}};
  return set;
}

}  // namespace muster::benchmarks::host
