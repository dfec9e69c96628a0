// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/clock_agreement.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "benchmarks/host/binding.hpp"
#include "benchmarks/host/team.hpp"
#include "benchmarks/host/time_stamp.hpp"

namespace muster::benchmarks::host {
namespace {

constexpr std::size_t looks = 3;

// Both clocks at one moment.
struct Moment {
  std::int64_t ticks = 0;
  double seconds = 0;
};

double monotonic_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// The counter is read before and after the clock; of some tries the one that was not interrupted is the shortest.
std::optional<Moment> moment() {
  constexpr int tries = 50;
  Moment best;
  auto shortest = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < tries; ++i) {
    const auto before = time_stamp();
    const double seconds = monotonic_seconds();
    const auto after = time_stamp();
    if (!before || !after) return std::nullopt;
    const auto between = static_cast<std::int64_t>(*after - *before);
    if (between < 0 || between >= shortest) continue;
    shortest = between;
    best = {.ticks = static_cast<std::int64_t>(*before) + between / 2, .seconds = seconds};
  }
  return best;
}

// Ticks in a second.
double rate(const Moment& from, const Moment& to) {
  return static_cast<double>(to.ticks - from.ticks) / (to.seconds - from.seconds);
}

ClockAgreement compared(const std::vector<std::array<Moment, looks>>& cpus) {
  std::vector<double> rates;
  for (const auto& cpu : cpus)
    for (std::size_t look = 1; look < looks; ++look) rates.push_back(rate(cpu[look - 1], cpu[look]));
  const auto [slowest, fastest] = std::ranges::minmax(rates);
  // Where each counter stood when the first CPU was first looked at, by its own rate of the whole time.
  std::vector<double> offsets;
  const auto& start = cpus.front().front();
  for (const auto& cpu : cpus)
    offsets.push_back(static_cast<double>(cpu.front().ticks - start.ticks) / rate(cpu.front(), cpu.back()) -
                      (cpu.front().seconds - start.seconds));
  const auto [first, last] = std::ranges::minmax(offsets);
  return {.drift = 1 - slowest / fastest, .apart = last - first};
}

}  // namespace

std::optional<ClockAgreement> clock_agreement(std::span<const int> cpus, std::chrono::duration<double> time) {
  if (cpus.empty() || !time_stamp()) return std::nullopt;
  const auto topology = load_topology();
  std::vector<std::array<Moment, looks>> seen(cpus.size());
  Team alone(1);  // the caller stays where it may run
  alone.run([&](std::size_t) {
    for (std::size_t look = 0; look < looks; ++look) {
      if (look > 0) std::this_thread::sleep_for(time / (looks - 1));
      for (std::size_t at = 0; at < cpus.size(); ++at) {
        bind_thread(topology.get(), static_cast<unsigned>(cpus[at]));
        seen[at][look] = moment().value_or(Moment());
      }
    }
  });
  return compared(seen);
}

double clock_reading_seconds() {
  constexpr int readings = 500;
  std::array<double, 21> each{};
  for (double& mean : each) {
    const double start = monotonic_seconds();
    for (int i = 1; i < readings; ++i) monotonic_seconds();
    mean = (monotonic_seconds() - start) / readings;
  }
  std::ranges::sort(each);
  return each[each.size() / 2];
}

}  // namespace muster::benchmarks::host
