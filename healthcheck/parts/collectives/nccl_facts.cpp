// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/nccl_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "benchmarks/collectives/bus_limit.hpp"
#include "benchmarks/collectives/nccl_log.hpp"
#include "healthcheck/check/job.hpp"
#include "topology/devices/infiniband.hpp"
#include "topology/machine/nvlink.hpp"
#include "topology/machine/pci_link.hpp"
#include "topology/nccl/lint_nvlinks.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::healthcheck {
namespace {

using results::Unit;

std::string with_plus(const std::set<std::string>& words) { return fmt::format("{}", fmt::join(words, "+")); }

// In B/s, of all InfiniBand ports of this host that are up; 0 where there is none.
double node_rate(const topology::Sysfs& sysfs) {
  double bits = 0;
  for (const auto& hca : topology::infiniband_hcas(sysfs.quiet()))
    for (const auto& port : hca.ports)
      if (port.state == "ACTIVE") bits += topology::port_rate(sysfs, hca, port).value_or(0);
  return bits / 8;
}

// In B/s, at most; infinite where the kernel does not tell. Source: 1 GT/s is 1 Gbit/s at most, before it is coded.
double gpu_rate(const topology::Sysfs& sysfs, const std::string& address) {
  const auto speed = topology::total_speed(topology::link_at_most(sysfs, "sys/bus/pci/devices/" + address));
  return speed ? *speed * 1e9 / 8 : std::numeric_limits<double>::infinity();
}

// Of all ranks on this one's host.
double sum_on_host(const Context& context, double own) {
  const auto& hosts = context.hosts();
  const auto& host = hosts[static_cast<std::size_t>(context.ranks().rank())];
  const auto all = all_gather(context.ranks(), fmt::format("{}", own));
  double sum = 0;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (hosts[rank] == host) sum += std::stod(all[rank]);
  return sum;
}

std::string direct(const benchmarks::NcclLog& told) {
  if (told.direct_channels == told.network_channels) return "on";
  return told.direct_channels == 0 ? "off" : "on some channels";
}

// By what rank 0 sees; nothing where it sees nothing.
topology::NvlinkDomain domain_of(benchmarks::Ranks& ranks, const std::filesystem::path& dump) {
  topology::NvlinkDomain domain;
  together(ranks, [&] {
    if (ranks.rank() == 0 && std::filesystem::exists(dump))
      domain = topology::nvlink_domain(topology::of_topology_file(dump, topology::read_topology).machine);
  });
  return {.gpus = static_cast<std::size_t>(ranks.max(static_cast<double>(domain.gpus))),
          .has_c2c = ranks.max(domain.has_c2c ? 1 : 0) > 0,
          .rate = ranks.max(domain.rate)};
}

bool reaches_all(const topology::NvlinkDomain& domain, const benchmarks::Ranks& ranks) {
  return domain.rate > 0 && domain.gpus == static_cast<std::size_t>(ranks.size());
}

// The greatest of the limits of all algorithms that were seen; nothing where what carries the bytes is not known.
std::optional<results::Limit> greatest(const std::set<benchmarks::Route>& seen, double rate, std::string_view of_what,
                                       const std::function<double(const std::string&)>& limit) {
  if (rate <= 0) return std::nullopt;
  const auto highest =
      std::ranges::max_element(seen, {}, [&](const benchmarks::Route& route) { return limit(route.algorithm); });
  return results::Limit{
      .value = {.value = limit(highest->algorithm), .unit = Unit::byte_per_second},
      .source = fmt::format("{} {}, algorithm {}", results::to_text({.value = rate, .unit = Unit::byte_per_second}),
                            of_what, highest->algorithm)};
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
  context_.add(metric("algorithm"), with_plus(algorithms), labels);
  if (!protocols.empty()) context_.add(metric("protocol"), with_plus(protocols), labels);
  context_.add(metric("channels"), results::count(static_cast<std::size_t>(channels)), labels);
}

void NcclFacts::add_log(std::string_view own_log, const results::Labels& span) {
  auto& ranks = context_.ranks();
  const auto logs = ranks.gather(benchmarks::telling_lines(own_log));
  if (ranks.rank() != 0) return;
  const auto told = benchmarks::read_nccl_log(fmt::format("{}", fmt::join(logs, "")));
  if (!told.network.empty()) context_.add(metric("network"), told.network);
  if (!told.transports.empty()) context_.add(metric("transport"), with_plus(told.transports), span);
  if (told.network_channels > 0) context_.add(metric("gpu_direct"), direct(told));
  if (told.nvls_told) context_.add(metric("nvls"), told.nvls_available ? "available" : "not available");
  context_.add(metric("topology_file"), topology_file(told, logs.size()));
}

void NcclFacts::add_nvlinks(const std::filesystem::path& dump, int number) {
  auto& ranks = context_.ranks();
  const auto name = metric("uneven_nvlinks");
  std::vector<results::Measurement> own;
  together(ranks, [&] {
    if (!std::filesystem::exists(dump)) return;
    const auto file = topology::of_topology_file(dump, topology::read_topology);
    for (const auto& gpu : topology::uneven_gpus(file.machine))
      if (gpu.by_switches && gpu.gpu->rank == number)
        own.push_back({.metric = name,
                       .value = to_text(gpu),
                       .labels = {{"host", context_.hosts()[static_cast<std::size_t>(ranks.rank())]}, {"pci", gpu_}}});
  });
  const auto all = gather_facts(ranks, own);
  if (ranks.rank() != 0) return;
  context_.add(all);
  if (all.empty() && std::filesystem::exists(dump)) context_.add(name, "none");
}

bool NcclFacts::linked(const std::filesystem::path& dump) const {
  return reaches_all(domain_of(context_.ranks(), dump), context_.ranks());
}

std::optional<results::Limit> NcclFacts::limit(benchmarks::Operation operation, const std::set<benchmarks::Route>& seen,
                                               const std::filesystem::path& dump) const {
  auto& ranks = context_.ranks();
  const std::set<std::string> nodes(context_.hosts().begin(), context_.hosts().end());
  const auto domain = domain_of(ranks, dump);
  const double by_ports = -ranks.max(-node_rate(context_.sysfs()));
  const double by_pcie = -ranks.max(-sum_on_host(context_, gpu_rate(context_.sysfs(), gpu_)));
  const bool is_by_pcie = by_pcie < by_ports && domain.gpus > 0 && !domain.has_c2c;
  const double slowest = is_by_pcie ? by_pcie : by_ports;
  if (operation != benchmarks::Operation::allreduce || seen.empty()) return std::nullopt;
  if (reaches_all(domain, ranks))
    return greatest(seen, domain.rate, "a GPU by its NVLinks", [&](const std::string& algorithm) {
      return benchmarks::allreduce_link_limit(algorithm, ranks.size(), domain.rate);
    });
  if (nodes.size() < 2) return std::nullopt;
  const auto* const by_what =
      is_by_pcie ? "a node by the PCIe links of its GPUs" : "a node by its active InfiniBand ports";
  return greatest(seen, slowest, by_what, [&](const std::string& algorithm) {
    return benchmarks::allreduce_bus_limit(algorithm, static_cast<int>(nodes.size()), ranks.size(), slowest);
  });
}

}  // namespace muster::healthcheck
