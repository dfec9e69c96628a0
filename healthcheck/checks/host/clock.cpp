// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/timex.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>

#include "benchmarks/host/clock_agreement.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "topology/cpu/usable_cpus.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Unit;

constexpr auto folder = "sys/devices/system/clocksource/clocksource0";
constexpr std::chrono::duration<double> time_of_comparison{0.2};

// Whether the counter runs at one rate whatever the CPU does, so that it is a clock at all.
bool is_invariant(const topology::Sysfs& sysfs) {
  const auto cpuinfo = sysfs.text("proc/cpuinfo").value_or("");
  const auto flags = topology::words(topology::value_of(cpuinfo, "flags", ':').value_or(""));
  const auto has = [&](std::string_view flag) { return std::ranges::find(flags, flag) != flags.end(); };
  return has("constant_tsc") && has("nonstop_tsc");
}

class ClockCheck final : public Check {
 public:
  Description describe() const override {
    return {.name = "clock",
            .summary = "Clock source and what reading it costs, synchronisation, CPUs' time stamp counters",
            .scope = Scope::once,
            .resources = {Resource::cpu},
            .tier = results::Tier::preflight,
            .typical_seconds = 0.3};
  }

  void run(Context& context) override {
    context.phase("reading the clock source");
    const auto& sysfs = context.sysfs();
    const auto add = [&](const char* metric, const std::string& file) {
      if (auto text = sysfs.text(file)) context.add(metric, *std::move(text));
    };
    add("clock.source", fmt::format("{}/current_clocksource", folder));
    add("clock.available", fmt::format("{}/available_clocksource", folder));
    context.phase("asking whether the clock is synchronised");
    add_synchronisation(context);
    context.phase("reading the clock many times");
    context.add("clock.reading_time", Quantity{benchmarks::host::clock_reading_seconds(), Unit::second});
    context.phase("comparing the clock with the CPUs' counters");
    if (is_invariant(sysfs)) add_agreement(context);
  }

 private:
  static void add_synchronisation(Context& context) {
    timex clock{};
    const int state = adjtimex(&clock);
    if (state < 0)
      throw std::system_error(errno, std::generic_category(), "adjtimex cannot tell whether the clock is synchronised");
    context.add("clock.synchronised", std::string(state == TIME_ERROR ? "no" : "yes"));
    context.add("clock.most_error", Quantity{static_cast<double>(clock.maxerror) * 1e-6, Unit::second});
  }

  static void add_agreement(Context& context) {
    const auto usable = topology::usable_cpus(context.sysfs().quiet());
    const auto agreement = benchmarks::host::clock_agreement(usable.allowed, time_of_comparison);
    if (!agreement) return;
    context.add("clock.counter_drift", Quantity{agreement->drift});
    context.add("clock.counters_apart", Quantity{agreement->apart, Unit::second});
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<ClockCheck>(); }

}  // namespace muster::healthcheck
