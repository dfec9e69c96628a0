// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/topology/roce.hpp"
#include "topology/machine/placement.hpp"

namespace muster::topology {
namespace {

std::string nic_of_file(const std::string& nic) {
  const auto machine = read_topology(R"(<system version="1"><cpu numaid="0" affinity="ff">
<pci busid="0000:17:00.0" class="0x030200"/><pci busid="0000:18:00.0" class=)" +
                                     nic + "</pci></cpu></system>")
                           .machine;
  return placement(machine, 1)[0].nic;
}

std::string net(const std::string& attributes) {
  return R"("0x020000"><nic><net dev="0" speed="100000" )" + attributes + "/></nic>";
}

TEST(GpuNics, AreEthernetWithRdmaWhereThereIsNoInfiniBand) {
  const tests::RoceTree roce;
  const auto found = roce.found();
  EXPECT_EQ(found.switches, Switches::inferred);
  EXPECT_EQ(gpu_nics(found.machine).size(), 8U);
  const auto seats = placement(found.machine, 8);
  for (int rank = 0; rank < 8; ++rank)
    EXPECT_EQ(seats[static_cast<std::size_t>(rank)].nic, "010" + std::to_string(rank + 1) + ":00:00.0");
  const auto text = environment({seats[1]}, found.names);
  EXPECT_NE(text.find("NCCL_IB_HCA==mlx5_ib1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("UCX_NET_DEVICES=mlx5_ib1:1\n"), std::string::npos) << text;
}

TEST(GpuNics, AreInfiniBandAloneWhereThereIsSome) {
  const auto found = discover(Sysfs(tests::source_folder() / "tests/machines/ndv5"));
  EXPECT_EQ(gpu_nics(found.machine).size(), 8U);
  EXPECT_TRUE(devices(found.machine, DeviceKind::rdma).empty());
}

TEST(GpuNics, AreNoEthernetWithoutAnRdmaDevice) {
  tests::RoceTree roce;
  std::filesystem::remove_all(roce.tree().path() / "sys/class/infiniband");
  for (const auto& entry : std::filesystem::directory_iterator(roce.tree().path() / "sys/bus/pci/devices"))
    std::filesystem::remove_all(entry.path() / "infiniband");
  const auto found = roce.found();
  EXPECT_TRUE(gpu_nics(found.machine).empty());
  EXPECT_EQ(placement(found.machine, 8)[0].nic, "");
}

TEST(GpuNics, AreOfAnyClassWithAnRdmaDevice) {
  tests::RoceTree roce;
  roce.tree().write("sys/devices/pci0103:00/0103:00:00.0/class", "0x00ff00\n");
  EXPECT_EQ(placement(roce.found().machine, 8)[2].nic, "0103:00:00.0");
}

TEST(GpuNics, AreInATopologyFileOfThisMachine) {
  const tests::RoceTree roce;
  const auto text = to_nccl_xml(for_nccl(roce.found()));
  EXPECT_NE(text.find("0101:00:00.0"), std::string::npos);
  EXPECT_EQ(text.find("1c0f:00:02.0"), std::string::npos) << "the frontend";
}

TEST(GpuNics, AreWhatANetOfTheFileSays) {
  EXPECT_EQ(nic_of_file(net(R"(name="mlx5_0" port="1" guid="0x9a" )")), "0000:18:00.0");
  EXPECT_EQ(nic_of_file(net(R"(name="rdmap24s0" port="1" guid="0" )")), "0000:18:00.0") << "EFA";
  EXPECT_EQ(nic_of_file(net(R"(name="mlx5_bond_0" )")), "0000:18:00.0");
  EXPECT_EQ(nic_of_file(net(R"(name="eth0" port="0" guid="0x0" )")), "") << "NCCL by sockets";
  EXPECT_EQ(nic_of_file(net(R"(name="mgmt" port="0" guid="0x0" )")), "") << "NCCL by sockets";
  EXPECT_EQ(nic_of_file(net(R"(name="enp24s0" )")), "");
  EXPECT_EQ(nic_of_file("\"0x020000\">"), "");
}

TEST(GpuNics, OfAmazonAreNoInfiniBandDevicesForNccl) {
  const RankPlacement seat{
      .pci = "0000:10:1c.0", .nic = "0000:10:1b.0", .numa = 0, .cpus = {}, .nic_is_of_amazon = true};
  const auto text = environment({seat}, {{"0000:10:1b.0", "rdmap16s27"}});
  EXPECT_EQ(text.find("NCCL_IB_HCA"), std::string::npos);
  EXPECT_NE(text.find("UCX_NET_DEVICES=rdmap16s27:1"), std::string::npos);
}

TEST(GpuNics, AreSharedByTheGpusThatTheyAreFewerThan) {
  std::string devices;
  for (const auto* address : {"0000:10:1c.0", "0000:10:1d.0", "0000:20:1c.0", "0000:20:1d.0"})
    devices += "<pci busid=\"" + std::string(address) + R"(" class="0x030200"/>)";
  for (const auto* address : {"0000:10:1b.0", "0000:20:1b.0"})
    devices += "<pci busid=\"" + std::string(address) + "\" class=" + net("name=\"rdmap1\"") + "</pci>";
  const auto seats = placement(
      read_topology(R"(<system version="1"><cpu numaid="0" affinity="ff">)" + devices + "</cpu></system>").machine, 4);
  EXPECT_EQ(seats[1].nic, "0000:10:1b.0");
  EXPECT_EQ(seats[2].nic, "0000:20:1b.0");
  EXPECT_TRUE(seats[0].nic_is_of_amazon);
}

}  // namespace
}  // namespace muster::topology
