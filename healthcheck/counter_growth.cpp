// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/counter_growth.hpp"

#include <charconv>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "healthcheck/clock.hpp"
#include "healthcheck/evidence.hpp"
#include "topology/scan.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

// The first number of "350735.47 234388.90".
std::optional<double> uptime_seconds(const topology::Sysfs& sysfs) {
  const auto text = sysfs.text("proc/uptime");
  double uptime = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), uptime).ec != std::errc())
    return std::nullopt;
  return uptime;
}

// A reading that a later run can be compared with.
Reading read_now(const topology::Sysfs& sysfs, CounterSource source) {
  const auto boot = sysfs.text("proc/sys/kernel/random/boot_id");
  const auto uptime = uptime_seconds(sysfs);
  if (!boot || !uptime)
    throw std::runtime_error(
        "proc/sys/kernel/random/boot_id and proc/uptime cannot be read, so counters cannot be compared with those of "
        "another run; leave --state out");
  return {.boot_id = *boot, .uptime_seconds = *uptime, .counters = source(sysfs)};
}

// Of the counters in both; what has come since, as an adapter that was reset, grows from now on. Nothing where the
// earlier reading is of another time, or of other counters.
std::optional<Growth> between(const Reading& before, const Reading& after) {
  Growth growth{.deltas = deltas(before.counters, after.counters),
                .seconds = after.uptime_seconds - before.uptime_seconds};
  if (before.boot_id != after.boot_id || growth.seconds <= 0 || growth.deltas.empty()) return std::nullopt;
  return growth;
}

}  // namespace

Growth counter_growth(const topology::Sysfs& sysfs, CounterSource source,
                      const std::optional<std::filesystem::path>& file, double window_seconds) {
  const auto earlier = file ? read_reading(*file) : std::nullopt;
  Reading now = file ? read_now(sysfs, source) : Reading{.boot_id = {}, .counters = source(sysfs)};
  auto growth = earlier ? between(*earlier, now) : std::nullopt;
  if (!growth) {
    const auto start = Clock::now();
    std::this_thread::sleep_for(ticks(window_seconds));
    const auto before = std::exchange(now.counters, source(sysfs));
    growth = Growth{.deltas = deltas(before, now.counters), .seconds = seconds(Clock::now() - start)};
    now.uptime_seconds += growth->seconds;
  }
  if (file) write_reading(now, *file);
  return *growth;
}

}  // namespace muster::healthcheck
