// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/memory_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace muster::benchmarks::host {
namespace {

constexpr double factor = 3;
constexpr double untouched = -1;

double expected(Kernel kernel, double first, double second) {
  if (kernel == Kernel::copy) return first;
  if (kernel == Kernel::scale) return factor * first;
  return first + (kernel == Kernel::add ? second : factor * second);
}

bool reads_second(Kernel kernel) { return kernel == Kernel::add || kernel == Kernel::triad; }

// Operands of `n` elements, each beginning at another distance from a cache line, with a margin that must stay as it
// is.
std::string fault_of(const KernelSet& set, Kernel kernel, std::size_t n, std::size_t offset) {
  constexpr std::size_t margin = 16;
  std::vector<double> first(n + 2 * margin);
  std::vector<double> second(n + 2 * margin);
  std::iota(first.begin(), first.end(), 1000.0);
  std::iota(second.begin(), second.end(), 5000.0);
  std::vector<double> to(n + 2 * margin, untouched);
  const auto part = [&](std::vector<double>& all, std::size_t shift) {
    return std::span(all).subspan((offset + shift) % margin, n);
  };
  const auto result = part(to, 0);
  const auto one = part(first, 3);
  const auto other = part(second, 6);
  set[kernel](result, one, reads_second(kernel) ? other : std::span<double>(), factor);

  for (std::size_t i = 0; i < n; ++i)
    if (result[i] != expected(kernel, one[i], other[i])) return "wrong at " + std::to_string(i);
  const auto written =
      static_cast<std::size_t>(std::ranges::count_if(to, [](double value) { return value != untouched; }));
  return written == n ? "" : "wrote outside of the result";
}

TEST(MemoryKernels, GiveExactResultsForEveryLengthAlignmentAndInstructionSet) {
  for (const auto& set : supported_kernels())
    for (const auto kernel : kernels)
      for (std::size_t n = 0; n <= 100; ++n)
        for (std::size_t offset = 0; offset < 8; ++offset)
          EXPECT_EQ(fault_of(set, kernel, n, offset), "")
              << set.instructions << " " << to_text(kernel) << " of " << n << " elements, offset " << offset;
}

TEST(MemoryKernels, EndWithThePortableOnes) {
  const auto sets = supported_kernels();
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(sets.back().instructions, "portable");
}

TEST(MemoryKernels, CountBytesAsStreamDoes) {
  EXPECT_EQ(bytes_per_element(Kernel::copy), 16u);
  EXPECT_EQ(bytes_per_element(Kernel::scale), 16u);
  EXPECT_EQ(bytes_per_element(Kernel::add), 24u);
  EXPECT_EQ(bytes_per_element(Kernel::triad), 24u);
}

}  // namespace
}  // namespace muster::benchmarks::host
