// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/installation.hpp"

#include "topology/sysfs.hpp"

namespace muster::healthcheck {

Installation installation() {
  const auto bin = std::filesystem::read_symlink(topology::Sysfs().path("proc/self/exe")).parent_path();
  const auto share = bin.parent_path() / "share" / "muster";
  return {
      .bin = bin, .profiles = share / "profiles", .faults = share / "faults.json", .topologies = share / "topology"};
}

}  // namespace muster::healthcheck
