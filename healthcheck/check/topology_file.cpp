// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/topology_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "healthcheck/program/installation.hpp"
#include "results/system/file.hpp"
#include "topology/nccl/difference.hpp"

namespace muster::healthcheck {

topology::Discovery find_machine(const topology::Sysfs& sysfs) {
  topology::Discovery found = topology::discover(sysfs);
  if (found.switches != topology::Switches::inferred) return found;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(installation().topologies, error))
    if (topology::recognise(found, topology::of_topology_file(file.path(), topology::read_topology).machine))
      found.machine.name = file.path().filename().string();
  return found;
}

std::optional<topology::TopologyInUse> topology_file(const topology::Sysfs& sysfs,
                                                     const std::optional<std::filesystem::path>& given) {
  if (given) return topology::TopologyInUse{*given, "--topology"};
  const char* variable = sysfs.live() ? std::getenv("NCCL_TOPO_FILE") : nullptr;
  return topology::topology_in_use(sysfs, variable == nullptr ? std::nullopt : std::optional<std::string>(variable));
}

topology::Fingerprint topology_record(const topology::Sysfs& sysfs, const std::optional<std::filesystem::path>& given) {
  const auto file = topology_file(sysfs, given);
  if (!file) return {};
  topology::Fingerprint record{{"topology_file", file->path.string()}};
  try {
    const std::string text = topology::topology_text(file->path);
    record["topology_sha256"] = results::sha256(text);
    std::set<std::string_view> errors;
    for (const auto& finding : topology::check_topology(text, find_machine(sysfs)))
      if (finding.severity == topology::Severity::error) errors.insert(topology::to_text(finding.wrong));
    record["topology_verdict"] = errors.empty() ? "fits" : fmt::format("{}", fmt::join(errors, ", "));
  } catch (const topology::Error& error) {
    record["topology_verdict"] = error.what();
  }
  return record;
}

}  // namespace muster::healthcheck
