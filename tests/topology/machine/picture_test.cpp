// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/picture.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "results/strings/utf8.hpp"
#include "tests/topology/machines.hpp"

namespace muster::topology {
namespace {

TEST(Picture, OfAnNdv5NodeFitsATerminal) {
  const auto found = tests::ndv5();
  const std::string drawn = picture(found.machine, found.names);
  std::istringstream lines(drawn);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(results::columns(line), 80U) << line;
  EXPECT_TRUE(
      drawn.starts_with("2 NUMA nodes, 96 CPUs, 8 GPUs, 8 InfiniBand NICs, 1 Ethernet NIC, 8 drives\n"
                        "\n"
                        "NUMA 0  CPUs 0-47  GenuineIntel family 6 model 143\n"
                        "├─ switch  ffff:ff:01.0  32 GT/s x16\n"
                        "│  ├─ GPU 0   0001:00:00.0  32 GT/s x16\n"
                        "│  └─ IB 0    0101:00:00.0  32 GT/s x16  mlx5_ib0\n"))
      << drawn;
  EXPECT_TRUE(
      drawn.ends_with("│  └─ IB 7    0108:00:00.0  32 GT/s x16  mlx5_ib7\n└─ drives  nvme4, nvme5, nvme6, nvme7\n"))
      << drawn;
}

TEST(Picture, SaysWhatIsUnknown) {
  Machine machine;
  machine.domains.resize(1);
  machine.domains[0].devices.resize(1);
  machine.domains[0].devices[0].address = "0000:03:00.0";
  machine.domains[0].devices[0].device_class = "0x020000";
  EXPECT_EQ(picture(machine, {}), "1 NUMA node, 0 CPUs, 1 Ethernet NIC\n\nNUMA -1\n└─ Eth 0   0000:03:00.0  ? x?\n");
}

}  // namespace
}  // namespace muster::topology
