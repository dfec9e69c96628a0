// SPDX-License-Identifier: Apache-2.0
#include "topology/evidence/evidence.hpp"

#include <fmt/format.h>

#include <array>

namespace muster::topology {

std::vector<Counter> network(const Sysfs& sysfs) {
  constexpr std::array files = {"statistics/rx_errors", "statistics/rx_crc_errors", "statistics/tx_errors",
                                "statistics/tx_carrier_errors"};
  std::vector<Counter> counters;
  for (const auto& interface : sysfs.list("sys/class/net")) {
    const auto folder = "sys/class/net/" + interface;
    if (!sysfs.exists(folder + "/device")) continue;  // of software, which comes and goes
    for (const std::string_view file : files)
      add_counter(counters, fmt::format("network.{}", file.substr(file.find('/') + 1)), {{"interface", interface}},
                  sysfs.number(fmt::format("{}/{}", folder, file)));
  }
  return counters;
}

}  // namespace muster::topology
