// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/meminfo.hpp"

#include "topology/kernel/error.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {

Meminfo meminfo(std::string_view text) {
  Meminfo found;
  for (const auto line : lines(text)) {
    const auto colon = line.find(':');
    const auto key = words(line.substr(0, colon));  // a NUMA node's file says "Node 0 MemTotal"
    const auto value =
        colon == std::string_view::npos ? std::vector<std::string_view>() : words(line.substr(colon + 1));
    const auto number = whole_number(value.empty() ? std::string_view() : value[0]);
    const bool kilobytes = value.size() == 2 && value[1] == "kB";
    if (key.empty() || !number || *number < 0 || (value.size() != 1 && !kilobytes))
      throw Error("'" + std::string(line) + "' is not a line such as 'MemTotal: 16384 kB'");
    found.emplace(key.back(), static_cast<double>(*number) * (kilobytes ? 1024.0 : 1.0));
  }
  return found;
}

}  // namespace muster::topology
