// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/nccl_configuration.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view variable_name = "NCCL_TOPO_FILE";
constexpr const char* configuration_of_machine = "etc/nccl.conf";
constexpr const char* configuration_of_user = ".nccl.conf";
constexpr const char* topologyd = "var/run/nvidia-topologyd/virtualTopology.xml";

// NCCL looks at the home folder only where NCCL_CONF_FILE is not set, even if there is no file of that name.
std::vector<std::string> configurations(const NcclVariables& variables) {
  std::vector<std::string> files;
  if (!variables.configuration.value_or("").empty())
    files.push_back(*variables.configuration);
  else if (!variables.home.value_or("").empty())
    files.push_back(fmt::format("{}/{}", *variables.home, configuration_of_user));
  files.emplace_back(configuration_of_machine);
  return files;
}

// A line of such a file as NCCL takes it apart, at the first '='; nothing is trimmed.
struct Setting {
  std::string file, name, value;
};

// In the order in which NCCL takes them: the first of a name wins.
std::vector<Setting> settings(const Sysfs& sysfs, const NcclVariables& variables) {
  std::vector<Setting> found;
  for (const auto& file : configurations(variables)) {
    const auto text = sysfs.bytes(file).value_or("");
    for (const auto line : lines(text))
      if (const auto equals = line.find('='); equals != line.npos)
        found.push_back({file, std::string(line.substr(0, equals)), std::string(line.substr(equals + 1))});
  }
  return found;
}

std::optional<TopologyInUse> in_use(std::filesystem::path path, std::string told_by) {
  if (path.empty()) return std::nullopt;
  return TopologyInUse{std::move(path), std::move(told_by)};
}

}  // namespace

std::optional<TopologyInUse> topology_in_use(const Sysfs& sysfs, const NcclVariables& variables) {
  if (variables.topology) return in_use(*variables.topology, std::string(variable_name));
  for (const auto& [file, name, value] : settings(sysfs, variables))
    if (name == variable_name) return in_use(value.empty() ? "" : sysfs.path(value), file);
  if (sysfs.exists(topologyd)) return TopologyInUse{sysfs.path(topologyd), "nvidia-topologyd"};
  return std::nullopt;
}

std::string ineffective_line(const Sysfs& sysfs, const NcclVariables& variables) {
  for (const auto& [file, name, value] : settings(sysfs, variables)) {
    const auto meant = words(name);
    if (name != variable_name && !meant.empty() && meant.back() == variable_name && !meant.front().starts_with('#'))
      return fmt::format("{}: '{}={}'", file, name, value);
  }
  return {};
}

}  // namespace muster::topology
