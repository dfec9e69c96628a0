// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/counter_growth.hpp"

#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "healthcheck/check/evidence.hpp"
#include "healthcheck/program/deadline.hpp"
#include "topology/kernel/uptime.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<topology::Counter> without(std::vector<topology::Counter> all, const std::vector<topology::Counter>& some) {
  const auto key = [](const topology::Counter& counter) { return std::pair(counter.metric, counter.labels); };
  std::set<decltype(key(all.front()))> keys;
  for (const auto& counter : some) keys.insert(key(counter));
  std::erase_if(all, [&](const auto& counter) { return keys.contains(key(counter)); });
  return all;
}

}  // namespace

CounterSnapshot reading_of(const topology::Sysfs& sysfs, std::vector<topology::Counter> counters) {
  const auto boot = sysfs.text("proc/sys/kernel/random/boot_id");
  const auto uptime = topology::uptime_seconds(sysfs);
  if (!boot || !uptime)
    throw std::runtime_error(
        "proc/sys/kernel/random/boot_id and proc/uptime cannot be read, so counters cannot be compared with those of "
        "another run; leave --state out");
  return {.boot_id = *boot, .uptime_seconds = *uptime, .counters = std::move(counters)};
}

Growths counter_growth(const topology::Sysfs& sysfs, CounterSource source,
                       const std::optional<std::filesystem::path>& file, std::optional<double> window_seconds) {
  CounterSnapshot now =
      file ? reading_of(sysfs, source(sysfs)) : CounterSnapshot{.boot_id = {}, .counters = source(sysfs)};
  auto [earlier, problem] = file && !window_seconds ? earlier_reading(*file, now) : Earlier();
  const auto fresh = without(now.counters, earlier.counters);
  std::vector<Growth> all;
  if (!fresh.empty()) {
    const auto start = Clock::now();
    std::this_thread::sleep_for(ticks(window_seconds.value_or(usual_window_seconds)));
    now.counters = source(sysfs);
    all.push_back(
        {.deltas = deltas(fresh, now.counters), .seconds = seconds(Clock::now() - start), .is_since_last_run = false});
    now.uptime_seconds += all.front().seconds;
  }
  if (!earlier.counters.empty())
    all.push_back({.deltas = deltas(earlier.counters, now.counters),
                   .seconds = now.uptime_seconds - earlier.uptime_seconds,
                   .is_since_last_run = true});
  if (file) write_reading(now, *file);
  return {.all = std::move(all), .problem = std::move(problem)};
}

}  // namespace muster::healthcheck
