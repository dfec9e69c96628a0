// SPDX-License-Identifier: Apache-2.0
#include "topology/evidence/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "topology/devices/infiniband.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view prefix = "infiniband.";
constexpr int never = 64;  // bits of a counter that nobody fills

struct PortCounter {
  std::string_view folder;
  std::string_view name;
  int bits;  // Linux drivers/infiniband/core/sysfs.c
};

constexpr std::array port_counters = {
    PortCounter{"counters", "symbol_error", 16},
    PortCounter{"counters", "link_error_recovery", 8},
    PortCounter{"counters", "link_downed", 8},
    PortCounter{"counters", "port_rcv_errors", 16},
    PortCounter{"counters", "port_rcv_remote_physical_errors", 16},
    PortCounter{"counters", "port_xmit_discards", 16},
    PortCounter{"counters", "port_xmit_constraint_errors", 8},
    PortCounter{"counters", "port_rcv_constraint_errors", 8},
    PortCounter{"counters", "local_link_integrity_errors", 4},
    PortCounter{"counters", "excessive_buffer_overrun_errors", 4},
    PortCounter{"counters", "port_xmit_wait", 32},
    PortCounter{"hw_counters", "link_downed", 8},  // of Soft-RoCE: wider, but of one name
    PortCounter{"hw_counters", "rnr_nak_retry_err", never},
    PortCounter{"hw_counters", "local_ack_timeout_err", never},
    PortCounter{"hw_counters", "out_of_sequence", never},
    PortCounter{"hw_counters", "packet_seq_err", never},
    PortCounter{"hw_counters", "roce_slow_restart", never}};

}  // namespace

std::vector<Counter> infiniband(const Sysfs& sysfs) {
  std::vector<Counter> counters;
  for (const auto& hca : hcas(sysfs))
    for (const auto& port : hca.ports) {
      const decltype(Counter::labels) labels = {{"nic", hca.name}, {"port", std::to_string(port.number)}};
      const auto add = [&](std::string_view name, const decltype(labels)& whose, const std::string& path) {
        if (sysfs.text(path) == no_counter) return;
        if (const auto value = sysfs.number(path))
          counters.push_back({fmt::format("{}{}", prefix, name), whose, static_cast<double>(*value)});
      };
      for (const auto& [folder, name, bits] : port_counters)
        add(name, labels, port_path(hca, port, fmt::format("{}/{}", folder, name)));
      for (const auto& interface : interfaces(sysfs, hca, port)) {
        auto whose = labels;
        whose.emplace("interface", interface);
        add("carrier_changes", whose, fmt::format("sys/class/net/{}/carrier_changes", interface));
      }
    }
  return counters;
}

bool saturated(std::string_view metric, double value) {
  if (!metric.starts_with(prefix)) return false;
  const auto known = std::ranges::find(port_counters, metric.substr(prefix.size()), &PortCounter::name);
  return known != port_counters.end() && value >= std::exp2(known->bits) - 1;
}

}  // namespace muster::topology
