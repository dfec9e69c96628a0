// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/topology_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "healthcheck/program/installation.hpp"
#include "results/system/file.hpp"
#include "topology/nccl/difference.hpp"

namespace muster::healthcheck {

namespace {

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// Of this job; a captured tree has none.
topology::NcclVariables variables_for(const topology::Sysfs& sysfs) {
  if (!sysfs.live()) return {};
  auto configuration = variable("NCCL_CONF_FILE");
  if (configuration && !configuration->empty()) configuration = std::filesystem::absolute(*configuration).string();
  return {.topology = variable("NCCL_TOPO_FILE"),
          .graph = variable("NCCL_GRAPH_FILE"),
          .configuration = std::move(configuration),
          .home = variable("HOME")};
}

}  // namespace

topology::Discovery find_machine(const topology::Sysfs& sysfs) {
  topology::Discovery found = topology::discover(sysfs);
  if (found.switches != topology::Switches::inferred) return found;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(installation().topologies, error))
    if (topology::recognise(found, topology::of_topology_file(file.path(), topology::read_topology).machine))
      found.machine.name = file.path().filename().string();
  return found;
}

std::optional<topology::NcclFile> topology_file(const topology::Sysfs& sysfs,
                                                const std::optional<std::filesystem::path>& given) {
  if (given) return topology::NcclFile{*given, "--topology"};
  return topology::topology_in_use(sysfs, variables_for(sysfs));
}

std::optional<topology::NcclFile> graph_file(const topology::Sysfs& sysfs) {
  return topology::graph_in_use(sysfs, variables_for(sysfs));
}

std::string ineffective_setting(const topology::Sysfs& sysfs) {
  const auto line = topology::ineffective_line(sysfs, variables_for(sysfs));
  return line.empty() ? "" : fmt::format("; {} sets nothing: NCCL wants NCCL_TOPO_FILE=PATH, without blanks", line);
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
