// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/numa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/meminfo.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {

std::vector<NumaNode> numa_nodes(const Sysfs& sysfs) {
  constexpr std::string_view folder = "sys/devices/system/node";
  std::vector<NumaNode> nodes;
  for (const auto& name : sysfs.list(folder)) {
    const auto number = name.starts_with("node") ? whole_number(name.substr(4)) : std::nullopt;
    if (!number) continue;
    const auto file = [&](std::string_view what) { return fmt::format("{}/{}/{}", folder, name, what); };
    NumaNode node{.number = static_cast<int>(*number), .cpus = {}, .memory_bytes = 0};
    node.cpus = parsed(sysfs, file("cpulist"), cpu_list).value_or(std::vector<int>());
    const auto memory = parsed(sysfs, file("meminfo"), meminfo).value_or(Meminfo());
    if (const auto total = memory.find("MemTotal"); total != memory.end()) node.memory_bytes = total->second;
    if (!node.cpus.empty() || node.memory_bytes > 0) nodes.push_back(std::move(node));
  }
  std::ranges::sort(nodes, {}, &NumaNode::number);
  return nodes;
}

}  // namespace muster::topology
