// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/nccl_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "benchmarks/bus_limit.hpp"
#include "benchmarks/nccl_log.hpp"
#include "topology/infiniband.hpp"

namespace muster::healthcheck {
namespace {

using results::Unit;

std::string joined(const std::set<std::string>& words) { return fmt::format("{}", fmt::join(words, "+")); }

// In B/s, of all InfiniBand ports of this host that are up; 0 where there is none.
double node_rate(const topology::Sysfs& sysfs) {
  double bits = 0;
  for (const auto& hca : topology::infiniband_hcas(sysfs))
    for (const auto& port : hca.ports)
      if (port.state == "ACTIVE") bits += topology::port_rate(sysfs, hca, port).value_or(0);
  return bits / 8;
}

std::string direct(const benchmarks::NcclLog& told) {
  if (told.direct_channels == told.network_channels) return "on";
  return told.direct_channels == 0 ? "off" : "on some channels";
}

std::string topology_file(const benchmarks::NcclLog& told, std::size_t ranks) {
  if (!told.topology_file_problem.empty()) return "not read: " + told.topology_file_problem;
  if (told.topology_files_read == 0) return "none";
  return told.topology_files_read < ranks ? "read by some ranks" : "read";
}

}  // namespace

void NcclFacts::add_routes(const std::set<benchmarks::Route>& seen, const results::Labels& labels) {
  if (context_.ranks().size() == 1) return;  // NCCL moves nothing
  context_.add(metric("path_seen"), seen.empty() ? "no" : "yes", labels);
  if (seen.empty()) return;
  std::set<std::string> algorithms;
  std::set<std::string> protocols;
  int channels = 0;
  for (const auto& route : seen) {
    algorithms.insert(route.algorithm);
    if (!route.protocol.empty()) protocols.insert(route.protocol);
    channels = std::max(channels, route.channels);
  }
  context_.add(metric("algorithm"), joined(algorithms), labels);
  if (!protocols.empty()) context_.add(metric("protocol"), joined(protocols), labels);
  context_.add(metric("channels"), results::count(static_cast<std::size_t>(channels)), labels);
}

void NcclFacts::add_log(std::string_view own_log) {
  auto& ranks = context_.ranks();
  const auto logs = ranks.gather(benchmarks::telling_lines(own_log));
  if (ranks.rank() != 0) return;
  const auto told = benchmarks::read_nccl_log(fmt::format("{}", fmt::join(logs, "")));
  if (!told.network.empty()) context_.add(metric("network"), told.network);
  if (!told.transports.empty()) context_.add(metric("transport"), joined(told.transports));
  if (told.network_channels > 0) context_.add(metric("gpu_direct"), direct(told));
  if (told.nvls_told) context_.add(metric("nvls"), told.nvls_available ? "available" : "not available");
  context_.add(metric("topology_file"), topology_file(told, logs.size()));
}

std::optional<results::Limit> NcclFacts::limit(benchmarks::Operation operation,
                                               const std::set<benchmarks::Route>& seen) const {
  const std::set<std::string> nodes(context_.hosts().begin(), context_.hosts().end());
  const double slowest = -context_.ranks().max(-node_rate(context_.sysfs()));
  if (operation != benchmarks::Operation::allreduce || nodes.size() < 2 || slowest == 0 || seen.empty())
    return std::nullopt;
  double greatest = 0;
  for (const auto& route : seen)
    greatest = std::max(greatest, benchmarks::allreduce_bus_limit(route.algorithm, static_cast<int>(nodes.size()),
                                                                  context_.ranks().size(), slowest));
  return results::Limit{.value = {.value = greatest, .unit = Unit::byte_per_second},
                        .source = fmt::format("{} a node by its active InfiniBand ports, algorithm {}",
                                              results::to_text({.value = slowest, .unit = Unit::byte_per_second}),
                                              seen.begin()->algorithm)};
}

}  // namespace muster::healthcheck
