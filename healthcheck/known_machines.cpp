// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/known_machines.hpp"

#include "topology/nccl_xml.hpp"

namespace muster::healthcheck {

topology::Discovery discover(const topology::Sysfs& sysfs, const std::filesystem::path& folder) {
  topology::Discovery found = topology::discover(sysfs);
  if (found.switches != topology::Switches::inferred) return found;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error))
    if (topology::recognise(found, topology::of_topology_file(file.path(), topology::read_topology).machine))
      found.machine.name = file.path().filename().string();
  return found;
}

}  // namespace muster::healthcheck
