// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/processes.hpp"

#include <unistd.h>

#include <algorithm>

#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

double ticks_per_second() { return static_cast<double>(sysconf(_SC_CLK_TCK)); }

}  // namespace

std::optional<Process> process_from(std::string_view stat, double ticks_per_second) {
  const auto open = stat.find('(');
  const auto close = stat.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  const auto after = words(stat.substr(close + 1));  // field 3, the state, is the first
  const auto number = [&](std::size_t field) {
    return field - 3 < after.size() ? whole_number(after[field - 3]) : std::nullopt;
  };
  const auto pid = whole_number(trimmed(stat.substr(0, open)));
  const auto parent = number(4), user = number(14), system = number(15);
  if (!pid || !parent || !user || !system) return std::nullopt;
  return Process{.pid = static_cast<int>(*pid),
                 .parent = static_cast<int>(*parent),
                 .state = after[0][0],
                 .name = std::string(stat.substr(open + 1, close - open - 1)),
                 .cpu_seconds = static_cast<double>(*user + *system) / ticks_per_second};
}

std::vector<Process> processes(const Sysfs& sysfs) {
  std::vector<Process> all;
  for (const auto& name : sysfs.list("proc")) {
    if (!whole_number(name)) continue;
    const auto stat = sysfs.quiet().text("proc/" + name + "/stat");  // of one that may have ended, or be hidden
    if (auto process = stat ? process_from(*stat, ticks_per_second()) : std::nullopt)
      all.push_back(std::move(*process));
  }
  return all;
}

std::vector<int> descendants(const std::vector<Process>& all, int pid) {
  std::vector<int> found = {pid};
  for (std::size_t next = 0; next < found.size(); ++next)
    for (const auto& process : all)
      if (process.parent == found[next] && std::ranges::find(found, process.pid) == found.end())
        found.push_back(process.pid);
  found.erase(found.begin());
  return found;
}

std::optional<std::string> top_of_stack(std::string_view stack) {
  for (const auto word : words(stack.substr(0, stack.find('\n'))))
    if (const auto offset = word.find('+'); offset != std::string_view::npos && offset > 0)
      return std::string(word.substr(0, offset));
  return std::nullopt;
}

std::optional<std::string> kernel_function(const Sysfs& sysfs, int pid) {
  const std::string folder = "proc/" + std::to_string(pid);
  auto wchan = sysfs.quiet().text(folder + "/wchan");
  if (wchan && !wchan->empty() && *wchan != "0") return wchan;
  return top_of_stack(sysfs.quiet().text(folder + "/stack").value_or(""));
}

double busy_ticks(std::string_view stat) {
  const auto field = words(stat.substr(0, stat.find('\n')));  // cpu user nice system idle iowait irq softirq steal ...
  double ticks = 0;
  for (const std::size_t at : {1U, 2U, 3U, 6U, 7U, 8U}) {
    const auto value = at < field.size() ? whole_number(field[at]) : std::nullopt;
    if (!value || field[0] != "cpu") throw Error("its first line is not 'cpu' with 8 or more counts");
    ticks += static_cast<double>(*value);
  }
  return ticks;
}

double busy_seconds(const Sysfs& sysfs) {
  const auto ticks = parsed(sysfs, "proc/stat", busy_ticks);
  if (!ticks) throw Error("proc/stat", "it is absent, so nothing tells how busy the CPUs are");
  return *ticks / ticks_per_second();
}

}  // namespace muster::topology
