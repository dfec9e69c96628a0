// SPDX-License-Identifier: Apache-2.0
#include "topology/evidence/evidence.hpp"

#include <fmt/format.h>

#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {

std::int64_t aer_total(std::string_view text) {
  for (const auto line : lines(text)) {
    const auto part = words(line);
    if (part.size() != 2 || !part[0].starts_with("TOTAL_ERR")) continue;
    if (const auto total = whole_number(part[1])) return *total;
  }
  throw Error("'" + std::string(text) + "' has no line such as 'TOTAL_ERR_COR 0'");
}

std::vector<Counter> pcie_aer(const Sysfs& sysfs) {
  std::vector<Counter> counters;
  for (const auto& address : sysfs.list("sys/bus/pci/devices"))
    for (const auto* kind : {"correctable", "nonfatal", "fatal"})
      add_counter(counters, fmt::format("pcie_aer.{}", kind), {{"pci", address}},
                  parsed(sysfs, fmt::format("sys/bus/pci/devices/{}/aer_dev_{}", address, kind), aer_total));
  return counters;
}

}  // namespace muster::topology
