// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/verbs/rdma_end.hpp"

#include <algorithm>

#include "topology/counters/traffic.hpp"

namespace muster::healthcheck {
namespace {

// Where the kernel says so in words that are a rate. That of a software device is made up.
std::optional<double> rate_of(const topology::Sysfs& sysfs, const topology::Hca& hca, const topology::HcaPort& port) {
  if (hca.pci.empty()) return std::nullopt;
  return topology::port_rate(sysfs.quiet(), hca, port);  // ib_link tells of a damaged file
}

}  // namespace

bool wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

std::string RdmaEnd::state() const {
  if (is_aside) return "aside";
  return port.state.empty() ? "unknown" : port.state;
}

results::Labels RdmaEnd::labels() const {
  results::Labels labels{{"nic", hca.name}, {"port", std::to_string(port.number)}};
  if (!port.link_layer.empty()) labels.emplace("link_layer", port.link_layer);
  if (!hca.node_guid.empty()) labels.emplace("guid", hca.node_guid);
  return labels;
}

benchmarks::verbs::CountedPort RdmaEnd::counted(const Context& context, const RdmaCase& transfer) const {
  return {.port = serves(transfer) ? opened.get() : nullptr, .gpu = transfer.is_of_gpus ? gpu : "", .sent = [&] {
            return topology::sent_bytes(context.sysfs().quiet(), hca, port);
          }};
}

std::optional<double> rate_of_path(std::optional<double> one, std::optional<double> other) {
  return one && other ? std::min(one, other) : std::max(one, other);  // none is less than any
}

std::vector<RdmaEnd> rdma_ends(const topology::Sysfs& sysfs, const std::vector<std::string>& nics) {
  std::vector<RdmaEnd> all;
  for (const auto& hca : topology::hcas(sysfs))
    for (const auto& port : hca.ports)
      if (wanted(nics, hca.name))
        all.push_back({.hca = hca, .port = port, .rate = rate_of(sysfs, hca, port), .opened = nullptr});
  return all;
}

bool serve_infiniband(std::span<const RdmaEnd> ports) {
  return std::ranges::any_of(ports,
                             [](const RdmaEnd& end) { return end.port.link_layer == "InfiniBand" && end.is_active(); });
}

void leave_ethernet_aside(std::span<RdmaEnd> ports) {
  for (RdmaEnd& end : ports) end.is_aside = end.port.link_layer == "Ethernet";
}

}  // namespace muster::healthcheck
