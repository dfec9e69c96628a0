// SPDX-License-Identifier: Apache-2.0
// Which ports are measured, and with which memory: the part of a request that opens them.
#include "healthcheck/parts/verbs/rdma.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/error.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/topology_file.hpp"
#include "topology/counters/traffic.hpp"
#include "topology/kernel/error.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/machine/placement.hpp"

namespace muster::healthcheck {
namespace {

using results::Measurement;

// The PCI addresses of GPUs by those of the adapters beside them. Throws topology::Error.
std::map<std::string, std::string> gpus_by_adapter(const topology::Sysfs& sysfs) {
  std::map<std::string, std::string> gpus;
  for (const auto& seat : topology::placement(topology::usable(find_machine(sysfs)), std::nullopt))
    if (!seat.nic.empty() && !seat.pci.empty()) gpus.emplace(seat.nic, seat.pci);
  return gpus;
}

}  // namespace

std::vector<RdmaEnd> RdmaRequest::active(Context& context) const {
  auto ports = rdma_ends(context.sysfs(), nics);
  if (ports.empty()) throw Skip("no RDMA device");
  if (nics.empty() && serve_infiniband(ports)) leave_ethernet_aside(ports);
  const auto active = static_cast<std::size_t>(std::ranges::count_if(ports, &RdmaEnd::is_active));
  context.add(metric("active_ports"), results::count(active));
  context.add(open(context, ports, &RdmaEnd::labels));
  if (active == 0 && nics.empty()) throw Skip("no port is active");
  for (const RdmaEnd& port : ports)
    if (misses(port, ports)) context.add(fact("port_lost", port.state(), port.labels()));
  std::erase_if(ports, [](const RdmaEnd& port) { return !port.is_active(); });
  return ports;
}

bool RdmaRequest::misses(const RdmaEnd& port, std::span<const RdmaEnd> all) const {
  const auto serves = [&](const RdmaEnd& each) { return each.hca.name == port.hca.name && each.is_active(); };
  return !nics.empty() && std::ranges::none_of(all, serves);
}

std::vector<Measurement> RdmaRequest::open(const Context& context, std::span<RdmaEnd> ports,
                                           const LabelsOf& labels) const {
  std::vector<Measurement> facts;
  for (RdmaEnd& port : ports) {
    if (!port.is_active()) {
      const auto why = port.is_aside ? "Ethernet beside InfiniBand, which --nic measures" : port.state();
      facts.push_back(fact("unused", why, labels(port)));
      continue;
    }
    try {
      port.opened = std::make_unique<benchmarks::verbs::RdmaPort>(port.hca.name, port.port.number, gid_index);
      facts.push_back(fact("gid", port.opened->gid().reason, labels(port)));
      const auto counter = topology::counter_of_sent(context.sysfs().quiet(), port.hca, port.port);
      facts.push_back(fact("counter", counter.empty() ? "none" : counter, labels(port)));
    } catch (const benchmarks::Error& error) {
      facts.push_back(fact("refused", error.what(), labels(port)));
    }
  }
  if (wants_gpus(context)) std::ranges::move(reach_gpus(context, ports, labels), std::back_inserter(facts));
  return facts;
}

bool RdmaRequest::wants_gpus(const Context& context) const {
  return memories.empty() ? context.tier() == results::Tier::full : wanted(memories, "gpu");
}

std::vector<Measurement> RdmaRequest::reach_gpus(const Context& context, std::span<RdmaEnd> ports,
                                                 const LabelsOf& labels) const {
  std::map<std::string, std::string> gpus;
  std::string problem;
  try {
    gpus = gpus_by_adapter(context.sysfs());
  } catch (const topology::Error& error) {
    problem = error.what();
  }
  std::vector<Measurement> facts;
  for (RdmaEnd& port : ports) {
    if (!port.opened) continue;
    const auto gpu = gpus.find(port.hca.pci);
    if (gpu == gpus.end()) {
      const bool is_fault = !problem.empty() || !memories.empty();  // else nobody asked for one
      facts.push_back(fact(is_fault ? "gpudirect_refused" : "gpu", problem.empty() ? "no GPU is beside it" : problem,
                           labels(port)));
      continue;
    }
    try {
      benchmarks::verbs::expect_reach(*port.opened, gpu->second);
      port.gpu = gpu->second;
      facts.push_back(fact("gpu", port.gpu, labels(port)));
    } catch (const benchmarks::Error& error) {
      facts.push_back(fact("gpudirect_refused", error.what(), labels(port)));
    }
  }
  return facts;
}

}  // namespace muster::healthcheck
