// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu_list.hpp"

#include <charconv>
#include <string>

#include "topology/error.hpp"

namespace muster::topology {
namespace {

int cpu_number(std::string_view text, std::string_view list) {
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || number < 0)
    throw Error("not a list of CPUs: '" + std::string(list) + "'");
  return number;
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
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace muster::topology
