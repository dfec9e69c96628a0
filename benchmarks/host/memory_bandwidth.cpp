// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/memory_bandwidth.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "benchmarks/scrambled.hpp"

namespace muster::benchmarks {
namespace {

constexpr double factor = 2;  // a grows by factor * (2 + factor) = 8 in a cycle, which changes no mantissa
constexpr int cycle_exponent = 3;
constexpr int first_exponent = -1000;
constexpr std::size_t aligned = 64 / sizeof(double);  // parts begin on cache lines

// 51 bits that differ from element to element, so that a value in the wrong place is seen; three times it is still
// exact in a double.
double pattern(std::size_t index) { return static_cast<double>(scrambled(index) >> 13); }

// Every element of a part of an array, which begins at element `begin`, against scale * pattern.
Verification compare(std::span<const double> values, std::size_t begin, double scale) {
  Verification verification;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto found = std::bit_cast<std::uint64_t>(values[i]);
    const auto expected = std::bit_cast<std::uint64_t>(scale * pattern(begin + i));
    if (found == expected) continue;
    ++verification.wrong;
    if (!verification.first)
      verification.first = WrongWord{.index = begin + i, .address = &values[i], .expected = expected, .found = found};
  }
  return verification;
}

void merge(Verification& into, const Verification& from) {
  into.wrong += from.wrong;
  if (!into.first) into.first = from.first;
}

}  // namespace

MemoryBandwidth::MemoryBandwidth(Team& team, KernelSet set, std::size_t elements)
    : team_(team), kernels_(set), a_(elements), b_(elements), c_(elements) {
  team_.run([this](std::size_t thread) {
    const auto mine = part(thread);
    for (std::size_t i = mine.begin; i < mine.begin + mine.size; ++i) a()[i] = std::ldexp(pattern(i), first_exponent);
    std::ranges::fill(b().subspan(mine.begin, mine.size), 0);
    std::ranges::fill(c().subspan(mine.begin, mine.size), 0);
  });
}

MemoryBandwidth::Part MemoryBandwidth::part(std::size_t thread) const {
  const auto elements = a().size();
  const auto border = [&](std::size_t number) {
    return number == team_.size() ? elements : elements / aligned * number / team_.size() * aligned;
  };
  return {.begin = border(thread), .size = border(thread + 1) - border(thread)};
}

std::chrono::duration<double> MemoryBandwidth::run(Kernel kernel) {
  struct Operands {
    std::span<double> to, first, second;
  };
  const std::array<Operands, kernels.size()> operands{
      {{c(), a(), {}}, {b(), c(), {}}, {c(), a(), b()}, {a(), b(), c()}}};
  const auto& [to, first, second] = operands.at(static_cast<std::size_t>(kernel));
  const auto function = kernels_[kernel];
  return team_.run([&](std::size_t thread) {
    const auto [begin, size] = part(thread);
    function(to.subspan(begin, size), first.subspan(begin, size), second.empty() ? second : second.subspan(begin, size),
             factor);
  });
}

std::array<double, kernels.size()> MemoryBandwidth::cycle() {
  ++cycles_;
  std::array<double, kernels.size()> bandwidths{};
  std::ranges::transform(kernels, bandwidths.begin(), [this](Kernel kernel) {
    return static_cast<double>(bytes_per_element(kernel) * a().size()) / run(kernel).count();
  });
  return bandwidths;
}

Verification MemoryBandwidth::verify(std::size_t thread) const {
  const double before = std::ldexp(1, first_exponent + cycle_exponent * (cycles_ - 1));  // a's factor in the last cycle
  const auto mine = part(thread);
  const auto compared = [&](char array, std::span<const double> values, double scale) {
    auto verification = compare(values.subspan(mine.begin, mine.size), mine.begin, scale);
    if (verification.first) {
      verification.first->array = array;
      verification.first->thread = thread;
    }
    return verification;
  };
  auto all = compared('a', a(), factor * (2 + factor) * before);
  merge(all, compared('b', b(), factor * before));
  merge(all, compared('c', c(), (1 + factor) * before));
  return all;
}

Verification MemoryBandwidth::verify() {
  std::vector<Verification> found(team_.size());
  team_.run([&](std::size_t thread) { found[thread] = verify(thread); });
  Verification all;
  for (const auto& one : found) merge(all, one);
  return all;
}

}  // namespace muster::benchmarks
