// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/host/binding.hpp"
#include "benchmarks/host/mapping.hpp"
#include "benchmarks/host/memory_kernels.hpp"
#include "benchmarks/host/team.hpp"

namespace muster::benchmarks::host {

// An element of the arrays that does not hold what the kernels must have left in it.
struct WrongWord {
  char array = 'a';
  std::size_t index = 0;
  std::size_t thread = 0;
  const void* address = nullptr;
  std::uint64_t expected = 0;  // bits
  std::uint64_t found = 0;
};

struct Verification {
  std::size_t wrong = 0;
  std::optional<WrongWord> first;  // of the lowest thread that found one
};

// STREAM's three arrays and its order, copy c = a, scale b = 2 c, add c = a + b, triad a = b + 2 c, each thread on its
// own part. A cycle multiplies a by 8 and every result is exact, so one lost store in any cycle stays visible.
class MemoryBandwidth {
 public:
  static constexpr std::size_t max_cycles = 600;  // then the exponents would be used up

  // Throws Error when there is no room.
  MemoryBandwidth(Team& team, KernelSet set, std::size_t elements);

  // Each thread of a team of that size, by the same number, writes its part first, so that the memory is near it: all
  // that is left, or as long as `goes_on`.
  void place(Team& team, const std::function<bool()>& goes_on);
  void place() {
    place(team_, [] { return true; });
  }

  // The same as long as `goes_on`, where no other thread wants to run: with threads of its own, one on each of the
  // team's CPUs. Nothing where they could not take precedence again.
  void place_when_idle(hwloc_topology_t topology, std::span<const unsigned> cpus, const std::function<bool()>& goes_on);

  // B/s of the four kernels in the order of the enumerators, run once each by all threads together.
  std::array<double, kernels.size()> cycle();

  // The same, each kernel in so many slices of the arrays, one after the other: the rate of each slice. The next kernel
  // begins when all of the arrays have passed, so that no slice is still in a cache.
  std::array<std::vector<double>, kernels.size()> cycle(std::size_t slices);

  // One kernel alone, for as often as one likes; what it leaves is not what verify() expects, but for a copy before a
  // cycle.
  std::chrono::duration<double> run(Kernel kernel);

  // Compares every bit of all three arrays with what the cycles so far must have left; at least one cycle.
  Verification verify();

  std::span<double> a() const { return a_.values(); }
  std::span<double> b() const { return b_.values(); }
  std::span<double> c() const { return c_.values(); }

 private:
  struct Part {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  // One of several of equal size.
  struct Slice {
    std::size_t number = 0;
    std::size_t of = 1;
  };
  static Part parted(const Part& whole, Slice slice);
  Part part(std::size_t thread) const;
  Part part(std::size_t thread, Slice slice) const;
  std::chrono::duration<double> run(Kernel kernel, Slice slice);
  Verification verify(std::size_t thread) const;

  Team& team_;
  KernelSet kernels_;
  Mapping a_;
  Mapping b_;
  Mapping c_;
  std::vector<std::size_t> placed_;  // elements, by thread
  int cycles_ = 0;
};

}  // namespace muster::benchmarks::host
