// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/nccl_configuration.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view of_topology = "NCCL_TOPO_FILE";
constexpr std::string_view of_graph = "NCCL_GRAPH_FILE";
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

// A relative path of a setting is one of the folder that the job starts in, which a captured tree does not tell.
std::filesystem::path told_path(const Sysfs& sysfs, const std::string& value) {
  const bool is_relative = sysfs.live() && !value.starts_with('/');
  return value.empty() || is_relative ? std::filesystem::path(value) : sysfs.path(value);
}

// What the variable or the first setting of that name says, which may be an empty path.
std::optional<NcclFile> file_told(const Sysfs& sysfs, const NcclVariables& variables, std::string_view wanted,
                                  const std::optional<std::string>& variable) {
  if (variable) return NcclFile{*variable, std::string(wanted)};
  for (const auto& [file, name, value] : settings(sysfs, variables))
    if (name == wanted) {
      const bool is_of_windows = value.ends_with('\r');
      return NcclFile{told_path(sysfs, value.substr(0, value.size() - (is_of_windows ? 1 : 0))), file, is_of_windows};
    }
  return std::nullopt;
}

std::optional<NcclFile> unless_empty(std::optional<NcclFile> file) {
  return file && file->path.empty() ? std::nullopt : std::move(file);
}

}  // namespace

std::optional<NcclFile> topology_in_use(const Sysfs& sysfs, const NcclVariables& variables) {
  if (auto told = file_told(sysfs, variables, of_topology, variables.topology)) return unless_empty(std::move(told));
  if (sysfs.exists(topologyd)) return NcclFile{sysfs.path(topologyd), "nvidia-topologyd"};
  return std::nullopt;
}

std::optional<NcclFile> graph_in_use(const Sysfs& sysfs, const NcclVariables& variables) {
  return unless_empty(file_told(sysfs, variables, of_graph, variables.graph));
}

std::string ineffective_line(const Sysfs& sysfs, const NcclVariables& variables) {
  for (const auto& [file, name, value] : settings(sysfs, variables)) {
    const auto meant = words(name);
    if (name != of_topology && !meant.empty() && meant.back() == of_topology && !meant.front().starts_with('#'))
      return fmt::format("{}: '{}={}'", file, name, value);
  }
  return {};
}

}  // namespace muster::topology
