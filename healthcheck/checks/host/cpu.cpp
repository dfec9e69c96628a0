// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/host/core_speed.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/kernel_facts.hpp"
#include "healthcheck/program/thread_variables.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/cpu/usable_cpus.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/plain_text.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;
using results::Quantity;
using topology::Sysfs;
using topology::UsableCpus;

constexpr std::chrono::duration<double> time_of_loops{1};

// The first number of "4" or, as OpenMP has it for each depth, "4,2"; nothing where there is none.
std::optional<std::size_t> first_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool ends = end == text.data() + text.size() || *end == ',';
  if (error != std::errc() || !ends || number == 0) return std::nullopt;
  return number;
}

// What a variable says; blanks are none to OpenMP.
std::string_view told_threads(const char* variable) {
  const char* text = std::getenv(variable);
  return topology::trimmed(text == nullptr ? "" : text);
}

class Cpu final : public Check {
 public:
  Description describe() const override {
    return {.name = "cpu",
            .summary = "CPUs that this container really has, threads that libraries would start, slow cores, governors",
            .scope = Scope::once,
            .resources = {Resource::cpu},
            .tier = results::Tier::preflight,
            .typical_seconds = 1.1,
            .reads_tree_only = true};
  }

  void run(Context& context) override {
    context.phase("reading what CPUs there are");
    const auto& sysfs = context.sysfs();
    KernelFacts facts(context, "cpu");
    std::optional<UsableCpus> usable;
    facts.attempt([&] { usable = topology::usable_cpus(sysfs); });
    if (usable) add_usable(facts, *usable);
    facts.attempt([&] { add_settings(facts, sysfs); });
    facts.attempt([&] { facts.compare(topology::Kin::cpu); });
    facts.save();
    if (usable && sysfs.live()) {
      context.phase("measuring each CPU");
      facts.attempt([&] { add_speeds(facts, *usable, topology::cpu_kinds(sysfs)); });
    }
    facts.end();
  }

 private:
  static void add_usable(KernelFacts& facts, const UsableCpus& usable) {
    facts.add("allowed", results::count(usable.allowed.size()), {{"cpus", topology::to_text(usable.allowed)}});
    if (usable.quota) facts.add("quota", Quantity{*usable.quota});
    facts.add("usable", results::count(usable.cores()));
    const auto cores = static_cast<double>(usable.cores());
    for (const auto* variable : thread_variables) {
      const Labels labels = {{"variable", variable}};
      if (const auto told = told_threads(variable); !told.empty()) {
        const auto threads = first_number(told);
        facts.add("threads_per_core",
                  threads ? results::Value(Quantity{static_cast<double>(*threads) / cores})
                          : results::Value(fmt::format("'{}' is not a number of threads", told)),
                  labels);
      }
    }
    // Without the variable OpenMP starts a thread for each CPU of the affinity, whatever the quota is.
    if (told_threads(thread_variables.front()).empty())
      facts.add("threads_per_core", Quantity{static_cast<double>(usable.allowed.size()) / cores},
                {{"variable", std::string(thread_variables.front()) + " (not set)"}});
  }

  // Which the kernel never leaves empty; empty where it is absent.
  static std::string setting(const Sysfs& sysfs, const std::string& path) {
    return topology::parsed(sysfs, path, topology::written_text).value_or("");
  }

  static void add_settings(KernelFacts& facts, const Sysfs& sysfs) {
    facts.add_text("smt", setting(sysfs, "sys/devices/system/cpu/smt/control"), {});
    for (const auto& policy : sysfs.list("sys/devices/system/cpu/cpufreq")) {
      const auto folder = "sys/devices/system/cpu/cpufreq/" + policy;
      facts.add_text("governor", setting(sysfs, folder + "/scaling_governor"),
                     {{"cpus", sysfs.text(folder + "/affected_cpus").value_or(policy)}});
    }
  }

  // Of each CPU, as a share of the fastest of its kind.
  static void add_speeds(KernelFacts& facts, const UsableCpus& usable, const std::map<int, std::string>& kinds) {
    const auto kind_of = [&](int cpu) { return kinds.contains(cpu) ? kinds.at(cpu) : std::string(); };
    const auto speeds = benchmarks::host::core_speeds(usable.allowed, usable.cores(), time_of_loops);
    std::map<std::string, double> fastest;
    for (std::size_t at = 0; at < speeds.size(); ++at) {
      auto& best = fastest[kind_of(usable.allowed[at])];
      best = std::max(best, speeds[at].steps_per_second);
    }
    const bool is_throttled = usable.quota.value_or(1) < 1;  // so that the rest of the time is nobody's
    for (std::size_t at = 0; at < speeds.size(); ++at) {
      const int cpu = usable.allowed[at];
      Labels labels = {{"cpu", std::to_string(cpu)}};
      if (!kinds.empty()) labels.emplace("kind", kind_of(cpu));
      facts.add("speed", Quantity{speeds[at].steps_per_second / fastest[kind_of(cpu)]}, labels);
      if (!is_throttled) facts.add("share", Quantity{speeds[at].share}, std::move(labels));
    }
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<Cpu>(); }

}  // namespace muster::healthcheck
