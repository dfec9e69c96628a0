// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/memory_bandwidth.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <thread>

#include "benchmarks/error.hpp"
#include "benchmarks/host/binding.hpp"

namespace muster::benchmarks::host {
namespace {

constexpr std::size_t elements = 10007;  // no multiple of anything

// What a kernel does when the stores of the last element are lost.
void lose_last(std::span<double> to, std::span<const double> first, std::span<const double> second, double factor) {
  const auto n = to.size() - 1;
  portable_kernels()[Kernel::triad](to.first(n), first.first(n), second.first(n), factor);
}

TEST(MemoryBandwidth, FindsNothingWrongAfterAnyNumberOfCycles) {
  Team team(3);
  for (const auto& set : supported_kernels()) {
    MemoryBandwidth bandwidth(team, set, elements);
    bandwidth.place();
    for (std::size_t cycle = 1; cycle <= MemoryBandwidth::max_cycles; ++cycle) {
      bandwidth.cycle();
      if (cycle % 100 == 1 || cycle == MemoryBandwidth::max_cycles) {
        EXPECT_EQ(bandwidth.verify().wrong, 0u) << set.instructions << " after " << cycle << " cycles";
      }
    }
    EXPECT_TRUE(std::isnormal(bandwidth.a().front()));
    EXPECT_TRUE(std::isnormal(bandwidth.c().back()));
  }
}

TEST(MemoryBandwidth, GoesOnPlacingWhereAnotherTeamStopped) {
  constexpr std::size_t several_pages = std::size_t{1} << 20;
  Team team(2);
  Team other(2);
  for (int chunks = 0; chunks < 6; ++chunks) {
    MemoryBandwidth bandwidth(team, supported_kernels().front(), several_pages);
    std::atomic<int> left = chunks;
    bandwidth.place(other, [&] { return left-- > 0; });
    bandwidth.place();
    bandwidth.cycle();
    EXPECT_EQ(bandwidth.verify().wrong, 0u) << "after " << chunks;
  }
}

TEST(MemoryBandwidth, WhatPlacesWhenIdleComesBeforeOthersAgainWhenItIsToEnd) {
  if (!may_take_precedence()) GTEST_SKIP() << "needs the capability SYS_NICE";
  const auto topology = load_topology();
  const auto cpus = numa_nodes(topology.get(), allowed_cpus(topology.get()).get()).front().cpus;
  Team team(cpus.size());
  MemoryBandwidth bandwidth(team, supported_kernels().front(), std::size_t{1} << 20);
  std::atomic<std::size_t> begun = 0;
  std::atomic<std::size_t> raised = 0;
  const auto gives_way = [] { return sched_getscheduler(0) == SCHED_IDLE; };
  bandwidth.place_when_idle(topology.get(), cpus, [&] {
    if (!gives_way()) return begun < cpus.size();  // who waits for the end
    ++begun;
    for (int look = 0; look < 5000 && gives_way(); ++look) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!gives_way()) ++raised;
    return false;
  });
  EXPECT_EQ(raised, cpus.size());
}

TEST(MemoryBandwidth, GivesAFiniteBandwidthForEachKernel) {
  Team team(2);
  MemoryBandwidth bandwidth(team, supported_kernels().front(), elements);
  bandwidth.place();
  for (const double value : bandwidth.cycle()) {
    EXPECT_GT(value, 0);
    EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(MemoryBandwidth, GivesTheBandwidthOfEachSliceAndLeavesTheSameBehind) {
  Team team(3);
  for (const std::size_t slices : {1U, 7U, 5000U}) {  // of some of which a thread has nothing
    MemoryBandwidth bandwidth(team, supported_kernels().front(), elements);
    bandwidth.place();
    for (const auto& rates : bandwidth.cycle(slices)) {
      EXPECT_EQ(rates.size(), slices);
      EXPECT_TRUE(std::ranges::all_of(rates, [](double rate) { return rate >= 0 && std::isfinite(rate); }));
    }
    EXPECT_EQ(bandwidth.verify().wrong, 0u);
  }
}

TEST(MemoryBandwidth, FindsOneBitInTheLastElementOfEachArray) {
  Team team(3);
  for (const char array : {'a', 'b', 'c'}) {
    MemoryBandwidth bandwidth(team, supported_kernels().front(), elements);
    bandwidth.place();
    bandwidth.cycle();
    auto& last = (array == 'a' ? bandwidth.a() : array == 'b' ? bandwidth.b() : bandwidth.c()).back();
    const auto before = std::bit_cast<std::uint64_t>(last);
    last = std::bit_cast<double>(before ^ 1);
    const auto verification = bandwidth.verify();
    EXPECT_EQ(verification.wrong, 1u);
    ASSERT_TRUE(verification.first);
    EXPECT_EQ(verification.first->array, array);
    EXPECT_EQ(verification.first->index, elements - 1);
    EXPECT_EQ(verification.first->thread, 2u);
    EXPECT_EQ(verification.first->address, &last);
    EXPECT_EQ(verification.first->expected, before);
    EXPECT_EQ(verification.first->found, before ^ 1);
  }
}

TEST(MemoryBandwidth, FindsTwoElementsThatChangedPlaces) {
  Team team(1);
  MemoryBandwidth bandwidth(team, supported_kernels().front(), elements);
  bandwidth.place();
  bandwidth.cycle();
  std::swap(bandwidth.a()[0], bandwidth.a()[4096]);
  EXPECT_EQ(bandwidth.verify().wrong, 2u);
}

TEST(MemoryBandwidth, StillSeesCyclesLaterWhatWasWrongOnce) {
  Team team(2);
  MemoryBandwidth bandwidth(team, supported_kernels().front(), elements);
  bandwidth.place();
  bandwidth.cycle();
  bandwidth.a()[7] *= 2;
  for (int cycle = 0; cycle < 20; ++cycle) bandwidth.cycle();
  EXPECT_EQ(bandwidth.verify().wrong, 3u);
  EXPECT_EQ(bandwidth.verify().first->index, 7u);
}

TEST(MemoryBandwidth, FindsAStoreThatWasLost) {
  Team team(1);
  auto set = portable_kernels();
  set.functions.back() = lose_last;
  MemoryBandwidth bandwidth(team, set, elements);
  bandwidth.place();
  bandwidth.cycle();
  const auto verification = bandwidth.verify();
  EXPECT_EQ(verification.wrong, 1u);
  EXPECT_EQ(verification.first->array, 'a');
  EXPECT_EQ(verification.first->index, elements - 1);
}

TEST(MemoryBandwidth, SaysHowMuchMemoryItCouldNotMap) {
  Team team(1);
  try {
    MemoryBandwidth bandwidth(team, portable_kernels(), std::size_t{1} << 57);
    FAIL() << "mapped more than any machine has";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot map 1152921504606846976 bytes"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace muster::benchmarks::host
