// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/job_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "healthcheck/program/error.hpp"
#include "healthcheck/program/streams.hpp"
#include "topology/machine/completed.hpp"
#include "topology/machine/placement.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::healthcheck {

std::optional<topology::Machine> job_machine(const std::optional<std::filesystem::path>& file, const HostList& hosts,
                                             const topology::Sysfs& sysfs) {
  if (!file) return std::nullopt;
  auto here = topology::discover(sysfs.quiet());
  if (!hosts.names.empty()) here.allowed.reset();  // of this process, and of no other host
  auto machine = topology::of_topology_file(
      *file, [&](std::string_view text) { return completed(topology::read_topology(text).machine, here); });
  if (topology::has_seats(machine)) return machine;
  tell(fmt::format("muster launch: {} names no GPU and no CPUs, so the ranks are not bound\n", file->string()));
  return std::nullopt;
}

void expect_seats(const std::optional<topology::Machine>& machine, std::size_t ranks) {
  if (machine) topology::placement(*machine, ranks);
}

std::size_t gpu_count(const std::optional<topology::Machine>& machine) {
  return machine ? topology::count_of_gpus(*machine) : 0;
}

std::size_t ranks_on_each(const LaunchOptions& options, const HostList& hosts, const Description& check,
                          const std::optional<topology::Machine>& machine,
                          const topology::MachineSummary& this_machine) {
  if (check.scope == Scope::hosts) return 1;
  const bool is_of_gpus = std::ranges::find(check.resources, Resource::gpu) != check.resources.end();
  const auto gpus = is_of_gpus && hosts.names.empty() ? this_machine.gpu_count : gpu_count(machine);
  const std::size_t least = is_of_gpus || hosts.count() > 1 ? 1 : 2;
  const auto ranks = options.ranks_on_each.value_or(hosts.slots.value_or(std::max(least, gpus)));
  if (ranks * hosts.count() < 2)
    throw UsageError(fmt::format(
        "one rank moves no data, and {} is 1 host with 1 rank; name more hosts, or --ranks-on-each 2 or more",
        hosts.source));
  return ranks;
}

}  // namespace muster::healthcheck
