// SPDX-License-Identifier: Apache-2.0
#include "topology/counters/traffic.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

using Sent = std::map<std::string, std::int64_t>;

void add_interface(const tests::TemporaryFolder& tree, const std::string& name, int type, const std::string& bytes) {
  const auto folder = "sys/class/net/" + name;
  tree.write(folder + "/type", std::to_string(type) + "\n");
  tree.write(folder + "/statistics/tx_bytes", bytes + "\n");
}

TEST(Traffic, OfPortsIsInUnitsOfFourBytes) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/infiniband/mlx5_ib0/ports/1/counters/port_xmit_data", "250\n");
  tree.write("sys/class/infiniband/mlx5_ib0/ports/2/counters/port_xmit_data", "1000000000000\n");
  EXPECT_EQ(sent_bytes(Sysfs(tree.path())), (Sent{{"mlx5_ib0", 4'000'000'001'000}}));
}

TEST(Traffic, OfSoftRoceIsThatOfItsInterface) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE\n");
  add_interface(tree, "eth0", 1, "700");
  EXPECT_EQ(sent_bytes(Sysfs(tree.path())), (Sent{{"eth0", 700}}));
}

TEST(Traffic, IsNotKnownWhereAnRdmaDeviceDoesNotCount) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/infiniband/efa_0/ports/1/state", "4: ACTIVE\n");
  std::filesystem::create_symlink("../../../devices/pci0000:00/0000:00:06.0",
                                  tree.path() / "sys/class/infiniband/efa_0/device");
  add_interface(tree, "eth0", 1, "700");
  EXPECT_EQ(sent_bytes(Sysfs(tree.path())), Sent{});
}

TEST(Traffic, OfInterfacesIsCountedOnceAndNotWhereItNeverLeaves) {
  const tests::TemporaryFolder tree;
  add_interface(tree, "lo", 772, "500");
  add_interface(tree, "ib0", 32, "600");
  add_interface(tree, "eth0", 1, "700");
  add_interface(tree, "eth1", 1, "800");
  add_interface(tree, "bond0", 1, "800");
  tree.write("sys/class/net/bond0/lower_eth1/type", "1\n");
  EXPECT_EQ(sent_bytes(Sysfs(tree.path())), (Sent{{"eth0", 700}, {"eth1", 800}}));
}

TEST(Traffic, OfAPortSaysWhichCounterItIs) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/infiniband/rxe0/parent", "eth0\n");
  tree.write("sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE\n");
  tree.write("sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_data", "250\n");
  std::filesystem::create_symlink("../../../devices/pci0000:00/0000:00:06.0",
                                  tree.path() / "sys/class/infiniband/mlx5_0/device");
  const Sysfs sysfs(tree.path());
  const auto all = hcas(sysfs);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(sent_bytes(sysfs, all[0], all[0].ports[0]), 1000);
  EXPECT_EQ(counter_of_sent(sysfs, all[0], all[0].ports[0]), "port_xmit_data");
  EXPECT_EQ(counter_of_sent(sysfs, all[1], all[1].ports[0]), "") << "nobody counts";
  add_interface(tree, "eth0", 1, "700");
  EXPECT_EQ(sent_bytes(sysfs, all[1], all[1].ports[0]), 700);
  EXPECT_EQ(counter_of_sent(sysfs, all[1], all[1].ports[0]), "tx_bytes of eth0");
}

TEST(Traffic, IsNotKnownOnSlingshot) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/cxi/cxi0/device/vendor", "0x1590\n");
  add_interface(tree, "hsn0", 1, "700");
  EXPECT_EQ(sent_bytes(Sysfs(tree.path())), Sent{});
}

TEST(Traffic, AFileWithoutACountIsNamed) {
  const tests::TemporaryFolder tree;
  add_interface(tree, "eth0", 1, "N/A");
  EXPECT_THROW(sent_bytes(Sysfs(tree.path())), Error);
}

}  // namespace
}  // namespace muster::topology
