// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/nccl_configuration.hpp"

#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

constexpr const char* variable_name = "NCCL_TOPO_FILE";
constexpr const char* configuration = "etc/nccl.conf";
constexpr const char* topologyd = "var/run/nvidia-topologyd/virtualTopology.xml";

}  // namespace

std::optional<TopologyInUse> topology_in_use(const Sysfs& sysfs, const std::optional<std::string>& variable) {
  if (variable && !variable->empty()) return TopologyInUse{*variable, variable_name};
  const auto text = sysfs.text(configuration).value_or("");
  if (const auto path = value_of(text, variable_name, '=')) return TopologyInUse{sysfs.path(*path), configuration};
  if (sysfs.exists(topologyd)) return TopologyInUse{sysfs.path(topologyd), "nvidia-topologyd"};
  return std::nullopt;
}

}  // namespace muster::topology
