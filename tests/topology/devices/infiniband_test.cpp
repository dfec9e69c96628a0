// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/infiniband.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

// Reading a port with this text in one of its files throws an Error that names the file; its words.
template <class Read>
std::string words_on_damage(const std::string& file, const std::string& text, Read read) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/infiniband/mlx5_0/ports/1/" + file, text + "\n");
  const Sysfs sysfs(tree.path());
  const auto hca = hcas(sysfs).at(0);
  try {
    read(sysfs, hca, hca.ports.at(0));
    ADD_FAILURE() << text << " was accepted";
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), "sys/class/infiniband/mlx5_0/ports/1/" + file);
    return error.what();
  }
}

TEST(PortRate, IsInBitsPerSecond) {
  EXPECT_EQ(port_rate("400 Gb/sec (4X NDR)"), 4e11);
  EXPECT_EQ(port_rate("2.5 Gb/sec (1X SDR)"), 2.5e9);
  EXPECT_EQ(port_rate("100 Gb/sec"), 1e11);
}

TEST(PortRate, GarbageIsAnErrorThatQuotesTheText) {
  for (const auto* text : {"", "400", "fast Gb/sec", "400Gb/sec", "-1 Gb/sec", "inf Gb/sec", "nan Gb/sec", "4 MB/sec"})
    try {
      port_rate(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("'" + std::string(text) + "'"), std::string::npos) << error.what();
    }
}

TEST(PortWidth, IsInLanes) {
  EXPECT_EQ(port_width("400 Gb/sec (4X NDR)"), 4);
  EXPECT_EQ(port_width("800 Gb/sec (12X HDR)"), 12);
  EXPECT_EQ(port_width("2.5 Gb/sec (1X)"), 1);
}

TEST(PortWidth, GarbageIsAnErrorThatQuotesTheText) {
  for (const auto* text : {"", "400 Gb/sec", "400 Gb/sec (X NDR)", "400 Gb/sec (0X NDR)", "400 Gb/sec 4X NDR"}) try {
      port_width(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("'" + std::string(text) + "'"), std::string::npos) << error.what();
    }
}

TEST(Hcas, OfAnNdv5NodeAreNineOfWhichEightAreInfiniBand) {
  const Sysfs sysfs(tests::source_folder() / "tests/machines/ndv5");
  EXPECT_EQ(hcas(sysfs).size(), 9U);
  const auto nics = infiniband_hcas(sysfs);
  ASSERT_EQ(nics.size(), 8U);
  EXPECT_EQ(nics[3].name, "mlx5_ib3");
  EXPECT_EQ(nics[3].pci, "0104:00:00.0");
  EXPECT_EQ(nics[3].firmware, "28.39.2048");
  ASSERT_EQ(nics[3].ports.size(), 1U);
  EXPECT_EQ(nics[3].ports[0].number, 1);
  EXPECT_EQ(nics[3].ports[0].state, "ACTIVE");
  EXPECT_EQ(nics[3].ports[0].physical_state, "LinkUp");
  EXPECT_EQ(port_rate(sysfs, nics[3], nics[3].ports[0]), 4e11);
}

TEST(Hcas, PortsOfAnNdv5NodeHaveAPartitionAGidAndAnInterface) {
  const Sysfs sysfs(tests::source_folder() / "tests/machines/ndv5");
  const auto hca = infiniband_hcas(sysfs).at(3);
  const auto& port = hca.ports.at(0);
  EXPECT_EQ(port_width(sysfs, hca, port), 4);
  EXPECT_EQ(partition_keys(sysfs, hca, port), (std::vector<std::uint16_t>{0x8001, 0x7fff}));
  EXPECT_EQ(gids(sysfs, hca, port), std::vector<std::string>{"fe80:0000:0000:0000:0015:5dff:fe33:ff03"});
  EXPECT_EQ(interfaces(sysfs, hca, port), std::vector<std::string>{"ib3"});
}

TEST(Hcas, OnlyBit15MakesAFullMember) {
  EXPECT_TRUE(is_full_member(0xffff));
  EXPECT_TRUE(is_full_member(0x9001));
  EXPECT_FALSE(is_full_member(0x7fff));
}

TEST(Hcas, APartitionKeyOfMoreThan16BitsIsAnErrorWithItsPath) {
  EXPECT_NE(words_on_damage("pkeys/0", "0x18001", partition_keys).find("98305"), std::string::npos);
}

TEST(Hcas, AStateThatTheKernelDidNotWriteIsNone) {
  const tests::TemporaryFolder tree;
  for (const auto& [text, state] : {std::pair("4: ACTIVE\n", "ACTIVE"),
                                    {"5: ACTIVE_DEFER\n", "ACTIVE_DEFER"},
                                    {"zz\n", ""},
                                    {"ACTIVE\n", ""},
                                    {": ACTIVE\n", ""},
                                    {"x4: ACTIVE\n", ""}}) {
    tree.write("sys/class/infiniband/mlx5_0/ports/1/state", text);
    EXPECT_EQ(hcas(Sysfs(tree.path())).at(0).ports.at(0).state, state) << text;
  }
}

TEST(Hcas, EachPortHasItsOwnInterfaces) {
  const tests::TemporaryFolder tree;
  const std::string hca = "sys/class/infiniband/mlx4_0";
  for (const auto* name : {"ib0", "ib1"}) tree.write(hca + "/device/net/" + name + "/mtu", "2044\n");
  for (const auto* number : {"1", "2"}) tree.write(hca + "/ports/" + number + "/state", "4: ACTIVE\n");
  tree.write("sys/class/net/ib0/dev_port", "0\n");
  tree.write("sys/class/net/ib1/dev_port", "1\n");
  const Sysfs sysfs(tree.path());
  const auto found = hcas(sysfs).at(0);
  EXPECT_EQ(interfaces(sysfs, found, found.ports.at(0)), std::vector<std::string>{"ib0"});
  EXPECT_EQ(interfaces(sysfs, found, found.ports.at(1)), std::vector<std::string>{"ib1"});
}

TEST(Hcas, SoftRoceLiesUponAnInterface) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/infiniband/rxe0/parent", "eth0\n");
  tree.write("sys/class/infiniband/rxe0/ports/1/link_layer", "Ethernet\n");
  const Sysfs sysfs(tree.path());
  const auto hca = hcas(sysfs).at(0);
  EXPECT_EQ(interfaces(sysfs, hca, hca.ports.at(0)), std::vector<std::string>{"eth0"});
}

TEST(Hcas, SoftRoceHasNoDeviceNoFirmwareAndIsNoInfiniBand) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/infiniband/rxe0/ports/1/link_layer", "Ethernet\n");
  const Sysfs sysfs(tree.path());
  const auto found = hcas(sysfs);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].pci, "");
  EXPECT_EQ(found[0].firmware, std::nullopt);
  EXPECT_EQ(port_rate(sysfs, found[0], found[0].ports[0]), std::nullopt);
  EXPECT_TRUE(infiniband_hcas(sysfs).empty());
}

TEST(Hcas, OneInfiniBandPortOfTwoIsEnough) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/infiniband/mlx5_0/ports/1/link_layer", "Ethernet\n");
  tree.write("sys/class/infiniband/mlx5_0/ports/2/link_layer", "InfiniBand\n");
  EXPECT_EQ(infiniband_hcas(Sysfs(tree.path())).size(), 1U);
}

TEST(Hcas, RateThatIsGarbageIsAnErrorWithItsPath) {
  const auto words = words_on_damage("rate", "four hundred", [](const auto&... port) { return port_rate(port...); });
  EXPECT_NE(words.find("'four hundred'"), std::string::npos);
}

}  // namespace
}  // namespace muster::topology
