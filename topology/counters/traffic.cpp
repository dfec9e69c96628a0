// SPDX-License-Identifier: Apache-2.0
#include "topology/counters/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::topology {
namespace {

constexpr std::string_view network_folder = "sys/class/net";
constexpr std::int64_t loopback = 772;  // ARPHRD_LOOPBACK and ARPHRD_INFINIBAND of linux/if_arp.h
constexpr std::int64_t ip_over_infiniband = 32;
constexpr std::int64_t bytes_of_unit = 4;

// What an RDMA device counts itself.
std::optional<std::int64_t> counted_bytes(const Sysfs& sysfs, const Hca& hca, const HcaPort& port) {
  const auto units = sysfs.number(port_path(hca, port, "counters/port_xmit_data"));
  return units ? std::optional(bytes_of_unit * *units) : std::nullopt;
}

std::optional<std::int64_t> interface_bytes(const Sysfs& sysfs, const std::string& interface) {
  return sysfs.number(fmt::format("{}/{}/statistics/tx_bytes", network_folder, interface));
}

bool counts_its_own(const Sysfs& sysfs, const std::string& interface) {
  const auto type = sysfs.number(fmt::format("{}/{}/type", network_folder, interface));
  const auto entries = sysfs.list(fmt::format("{}/{}", network_folder, interface));
  return type != loopback && type != ip_over_infiniband &&
         std::ranges::none_of(entries, [](const std::string& entry) { return entry.starts_with("lower_"); });
}

}  // namespace

std::map<std::string, std::int64_t> sent_bytes(const Sysfs& sysfs) {
  std::map<std::string, std::int64_t> sent;
  if (!sysfs.list("sys/class/cxi").empty()) return {};  // HPE Slingshot
  for (const auto& hca : hcas(sysfs)) {
    const bool is_software = hca.pci.empty();  // sends through a network interface
    for (const auto& port : hca.ports) {
      const auto bytes = counted_bytes(sysfs, hca, port);
      if (!bytes && !is_software) return {};
      if (bytes) sent[hca.name] += *bytes;
    }
  }
  for (const auto& interface : sysfs.list(network_folder))
    if (const auto bytes = interface_bytes(sysfs, interface); bytes && counts_its_own(sysfs, interface))
      sent[interface] += *bytes;
  return sent;
}

std::optional<std::int64_t> sent_bytes(const Sysfs& sysfs, const Hca& hca, const HcaPort& port) {
  const bool is_software = hca.pci.empty();
  if (!is_software) return counted_bytes(sysfs, hca, port);
  std::optional<std::int64_t> sent;
  for (const auto& interface : interfaces(sysfs, hca, port))
    if (const auto bytes = interface_bytes(sysfs, interface)) sent = sent.value_or(0) + *bytes;
  return sent;
}

std::string counter_of_sent(const Sysfs& sysfs, const Hca& hca, const HcaPort& port) {
  if (!sent_bytes(sysfs, hca, port)) return {};
  if (!hca.pci.empty()) return "port_xmit_data";
  return fmt::format("tx_bytes of {}", fmt::join(interfaces(sysfs, hca, port), " and "));
}

}  // namespace muster::topology
