// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cpu_list.hpp"

#include "topology/kernel/error.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

constexpr int max_cpus = 65536;  // eight times what Linux can be built for (NR_CPUS 8192)

int cpu_number(std::string_view text, std::string_view list) {
  const auto number = whole_number(text);
  if (!number || *number < 0 || *number >= max_cpus)
    throw Error("'" + std::string(list) + "' is not a list of CPUs such as '0-3,8'");
  return static_cast<int>(*number);
}

}  // namespace

std::vector<int> cpu_list(std::string_view text) {
  std::vector<int> cpus;
  for (std::string_view rest = text; !rest.empty();) {
    const auto comma = rest.find(',');
    const auto item = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const auto dash = item.find('-');
    const int first = cpu_number(item.substr(0, dash), text);
    const int last = dash == std::string_view::npos ? first : cpu_number(item.substr(dash + 1), text);
    if (last < first) throw Error("'" + std::string(text) + "' is not a list of CPUs: a range goes backwards");
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

std::string to_text(std::span<const int> cpus) {
  std::string text;
  for (std::size_t first = 0, next = 0; first < cpus.size(); first = next) {
    next = first + 1;
    while (next < cpus.size() && cpus[next] == cpus[next - 1] + 1) ++next;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[first]);
    if (next - first > 1) text += '-' + std::to_string(cpus[next - 1]);
  }
  return text;
}

}  // namespace muster::topology
