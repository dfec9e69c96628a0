// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/memory_bandwidth.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/data/scrambled.hpp"

namespace muster::benchmarks::host {
namespace {

constexpr double factor = 2;  // a grows by factor * (2 + factor) = 8 in a cycle, which changes no mantissa
constexpr int cycle_exponent = 3;
constexpr int first_exponent = -1000;
constexpr double first_scale = 0x1p-1000;
constexpr std::size_t aligned = 64 / sizeof(double);  // parts begin on cache lines
constexpr std::size_t page = 4096 / sizeof(double);
constexpr std::chrono::milliseconds between_looks(5);
constexpr std::size_t huge_page_elements = (std::size_t{2} << 20) / sizeof(double);

// 51 bits that differ from element to element, so that a value in the wrong place is seen; three times it is still
// exact in a double.
double pattern(std::size_t index) { return static_cast<double>(static_cast<std::int64_t>(scrambled(index) >> 13)); }

// An array, each element of which must be its pattern multiplied by `scale`.
struct Scaled {
  char array = 'a';
  std::span<const double> values;
  double scale = 1;
};

void merge(Verification& into, const Verification& from) {
  into.wrong += from.wrong;
  if (!into.first) into.first = from.first;
}

}  // namespace

MemoryBandwidth::MemoryBandwidth(Team& team, KernelSet set, std::size_t elements)
    : team_(team), kernels_(set), a_(elements), b_(elements), c_(elements), placed_(team.size()) {}

void MemoryBandwidth::place(Team& team, const std::function<bool()>& goes_on) {
  team.run([&](std::size_t thread) {
    const auto [begin, size] = part(thread);
    auto& placed = placed_.at(thread);
    while (placed < size && goes_on()) {
      const auto from = begin + placed;
      placed = std::min(placed + huge_page_elements, size);
      for (std::size_t i = from; i < begin + placed; ++i) a()[i] = first_scale * pattern(i);
      for (std::size_t i = from; i < begin + placed; i += page) b()[i] = c()[i] = 0;
    }
  });
}

void MemoryBandwidth::place_when_idle(hwloc_topology_t topology, std::span<const unsigned> cpus,
                                      const std::function<bool()>& goes_on) {
  if (!may_take_precedence()) return;
  Team team(cpus.size());
  std::vector<pid_t> threads(cpus.size());
  team.run([&](std::size_t thread) {
    bind_thread(topology, cpus[thread]);
    threads[thread] = gettid();
  });
  // On a busy machine they would come to their end late.
  const std::jthread end([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && goes_on()) std::this_thread::sleep_for(between_looks);
    run_as_others(threads);
  });
  if (run_when_idle(threads)) place(team, goes_on);
}

MemoryBandwidth::Part MemoryBandwidth::part(std::size_t thread) const {
  return parted({.begin = 0, .size = a().size()}, {.number = thread, .of = team_.size()});
}

MemoryBandwidth::Part MemoryBandwidth::part(std::size_t thread, Slice slice) const {
  return parted(part(thread), slice);
}

MemoryBandwidth::Part MemoryBandwidth::parted(const Part& whole, Slice slice) {
  const auto border = [&](std::size_t number) {
    return number == slice.of ? whole.size : whole.size / aligned * number / slice.of * aligned;
  };
  const auto begin = border(slice.number);
  return {.begin = whole.begin + begin, .size = border(slice.number + 1) - begin};
}

std::chrono::duration<double> MemoryBandwidth::run(Kernel kernel) { return run(kernel, {.number = 0, .of = 1}); }

std::chrono::duration<double> MemoryBandwidth::run(Kernel kernel, Slice slice) {
  struct Operands {
    std::span<double> to, first, second;
  };
  const std::array<Operands, kernels.size()> operands{
      {{c(), a(), {}}, {b(), c(), {}}, {c(), a(), b()}, {a(), b(), c()}}};
  const auto& [to, first, second] = operands.at(static_cast<std::size_t>(kernel));
  const auto function = kernels_[kernel];
  return team_.run([&](std::size_t thread) {
    const auto [begin, size] = part(thread, slice);
    function(to.subspan(begin, size), first.subspan(begin, size), second.empty() ? second : second.subspan(begin, size),
             factor);
  });
}

std::array<double, kernels.size()> MemoryBandwidth::cycle() {
  std::array<double, kernels.size()> bandwidths{};
  std::ranges::transform(cycle(1), bandwidths.begin(), [](const auto& rates) { return rates.front(); });
  return bandwidths;
}

std::array<std::vector<double>, kernels.size()> MemoryBandwidth::cycle(std::size_t slices) {
  ++cycles_;
  std::array<std::vector<double>, kernels.size()> rates;
  for (const auto kernel : kernels)
    for (std::size_t number = 0; number < slices; ++number) {
      const Slice slice{.number = number, .of = slices};
      std::size_t elements = 0;
      for (std::size_t thread = 0; thread < team_.size(); ++thread) elements += part(thread, slice).size;
      const auto bytes = static_cast<double>(bytes_per_element(kernel) * elements);
      rates.at(static_cast<std::size_t>(kernel)).push_back(bytes / run(kernel, slice).count());
    }
  return rates;
}

// Each element is read once: what is right when it is read again was wrong all the same.
Verification MemoryBandwidth::verify(std::size_t thread) const {
  const double before = std::ldexp(1, first_exponent + cycle_exponent * (cycles_ - 1));  // a's factor in the last cycle
  const std::array<Scaled, 3> arrays{
      {{'a', a(), factor * (2 + factor) * before}, {'b', b(), factor * before}, {'c', c(), (1 + factor) * before}}};
  std::array<Verification, arrays.size()> of_arrays;
  const auto [begin, size] = part(thread);
  for (std::size_t i = begin; i < begin + size; ++i) {
    const double base = pattern(i);
    for (std::size_t at = 0; at < arrays.size(); ++at) {
      const auto& [array, values, scale] = arrays[at];
      const auto found = std::bit_cast<std::uint64_t>(values[i]);
      const auto expected = std::bit_cast<std::uint64_t>(scale * base);
      if (found == expected) [[likely]]
        continue;
      auto& [wrong, first] = of_arrays[at];
      if (wrong++ == 0) first = WrongWord{array, i, thread, &values[i], expected, found};
    }
  }
  Verification all;
  for (const auto& one : of_arrays) merge(all, one);
  return all;
}

Verification MemoryBandwidth::verify() {
  std::vector<Verification> found(team_.size());
  team_.run([&](std::size_t thread) { found[thread] = verify(thread); });
  Verification all;
  for (const auto& one : found) merge(all, one);
  return all;
}

}  // namespace muster::benchmarks::host
