// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "results/system/file.hpp"
#include "tests/support/files.hpp"
#include "topology/machine/discover.hpp"
#include "topology/nccl/nccl_xml.hpp"

// Topology files and machines that tests of the topology library begin with.
namespace muster::tests {

inline std::string shipped(const std::string& name) { return results::read_text(source_folder() / "topology" / name); }

// The text with one piece replaced; the test is broken when the piece is not there.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::invalid_argument("there is no '" + std::string(from) + "' to replace");
  return text.replace(at, from.size(), to);
}

// The NDv5 node as a tree, with the switches that its kernel hides.
inline topology::Discovery ndv5(const std::filesystem::path& root = source_folder() / "tests/machines/ndv5") {
  topology::Discovery found = topology::discover(topology::Sysfs(root));
  topology::recognise(found, topology::read_topology(shipped("ndv5-topo.xml")).machine);
  return found;
}

}  // namespace muster::tests
