// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/files.hpp"
#include "tests/topology/machines.hpp"

// Machines whose GPUs use Ethernet with RDMA.
namespace muster::tests {

// The NDv5 node with its adapters as RoCE; Azure's frontend mlx5_an0 stays what it is.
class RoceTree {
 public:
  RoceTree() {
    copy_machine("ndv5", tree_);
    for (int nic = 1; nic <= 8; ++nic) {
      const std::string address = "010" + std::to_string(nic) + ":00:00.0";
      tree_.write("sys/devices/pci010" + std::to_string(nic) + ":00/" + address + "/class", "0x020000\n");
      tree_.write("sys/class/infiniband/mlx5_ib" + std::to_string(nic - 1) + "/ports/1/link_layer", "Ethernet\n");
    }
  }
  topology::Discovery found() const { return topology::discover(topology::Sysfs(tree_.path())); }
  TemporaryFolder& tree() { return tree_; }

 private:
  TemporaryFolder tree_;
};

// ndv5-topo.xml as a file for them.
inline std::string roce_file() {
  std::string text = shipped("ndv5-topo.xml");
  for (auto at = text.find("0x020700"); at != std::string::npos; at = text.find("0x020700"))
    text.replace(at, 8, "0x020000");
  return text;
}

}  // namespace muster::tests
