// SPDX-License-Identifier: Apache-2.0
#include "topology/evidence/evidence.hpp"

#include <unistd.h>

#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

double number_in(std::string_view word, std::string_view text) {
  const auto number = whole_number(word);
  if (!number) throw Error("'" + std::string(word) + "' in '" + std::string(text) + "' is not a count");
  return static_cast<double>(*number);
}

}  // namespace

double stolen_ticks(std::string_view stat) {
  constexpr std::size_t steal = 8;  // after "cpu": user, nice, system, idle, iowait, irq, softirq, steal
  for (const auto line : lines(stat))
    if (const auto part = words(line); !part.empty() && part.front() == "cpu") {
      if (part.size() <= steal) throw Error("'" + std::string(line) + "' does not tell stolen time");
      return number_in(part[steal], line);
    }
  throw Error("there is no line that begins with 'cpu'");
}

double stalled_microseconds(std::string_view pressure) {
  constexpr std::string_view key = "total=";
  for (const auto line : lines(pressure))
    if (const auto part = words(line); !part.empty() && part.front() == "some")
      if (part.back().starts_with(key)) return number_in(part.back().substr(key.size()), line);
  throw Error("'" + std::string(pressure) + "' has no line such as 'some avg10=0.00 avg60=0.00 avg300=0.00 total=0'");
}

std::optional<double> oom_kills(std::string_view vmstat) {
  const auto count = value_of(vmstat, "oom_kill", ' ');
  if (!count) return std::nullopt;  // kernels before 4.13
  return number_in(*count, vmstat);
}

std::vector<Counter> pressure(const Sysfs& sysfs) {
  constexpr double milliseconds = 1000;
  std::vector<Counter> counters;
  if (const auto ticks = parsed(sysfs, "proc/stat", stolen_ticks))
    add_counter(counters, "cpu.stolen_ms", {}, *ticks * milliseconds / static_cast<double>(sysconf(_SC_CLK_TCK)));
  if (const auto stalled = parsed(sysfs, "proc/pressure/memory", stalled_microseconds))
    add_counter(counters, "memory.stalled_ms", {}, *stalled / milliseconds);
  add_counter(counters, "memory.oom_kills", {}, parsed(sysfs, "proc/vmstat", oom_kills).value_or(std::nullopt));
  return counters;
}

}  // namespace muster::topology
