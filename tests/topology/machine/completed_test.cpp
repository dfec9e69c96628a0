// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/completed.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/topology/machines.hpp"
#include "tests/topology/roce.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/machine/placement.hpp"

namespace muster::topology {
namespace {

Machine in_file(const std::string& inside) {
  return read_topology("<system version=\"1\">" + inside + "</system>").machine;
}

// Two NUMA nodes by turns, two threads a core.
Discovery by_turns() {
  Discovery here;
  here.machine.domains.resize(2);
  for (int node = 0; node < 2; ++node) {
    here.machine.domains[static_cast<std::size_t>(node)].number = node;
    here.machine.domains[static_cast<std::size_t>(node)].cpus = cpu_list(node == 0 ? "0,2,4,6" : "1,3,5,7");
  }
  here.machine.cores = {{{0, 4}, 0}, {{2, 6}, 0}, {{1, 5}, 1}, {{3, 7}, 1}};
  return here;
}

constexpr const char* one_gpu = R"(<pci busid="0001:00:00.0" class="0x030200"/>)";

TEST(Completed, NodeWithoutMaskHasThatOfThisMachine) {
  const auto machine = completed(in_file(std::string("<cpu numaid=\"1\">") + one_gpu + "</cpu>"), by_turns());
  EXPECT_EQ(to_text(*machine.domains[0].cpus), "1,3,5,7");
}

TEST(Completed, NodeThatThisMachineHasNotHasAllCpus) {
  const auto machine = completed(in_file(std::string("<cpu numaid=\"-1\">") + one_gpu + "</cpu>"), by_turns());
  EXPECT_EQ(to_text(*machine.domains[0].cpus), "0-7");
  EXPECT_EQ(rankfile(placement(machine, 1), {"h"}), "rank 0=h slot=0-3\n");
}

TEST(Completed, MaskThatIsThereStays) {
  const auto machine =
      completed(in_file(std::string(R"(<cpu numaid="0" affinity="3">)") + one_gpu + "</cpu>"), by_turns());
  EXPECT_EQ(to_text(*machine.domains[0].cpus), "0-1");
  EXPECT_TRUE(machine.cores.empty());
}

TEST(Completed, MachineWithTheseMasksHasItsCores) {
  auto here = by_turns();
  const auto file = in_file(R"(<cpu numaid="0" affinity="55"/><cpu numaid="1" affinity="aa"/>)");
  EXPECT_EQ(completed(file, here).cores, here.machine.cores);
  here.allowed = {0, 2, 4, 6};
  const auto left = completed(file, here);
  EXPECT_EQ(left.cores.size(), 2U);
  EXPECT_EQ(to_text(*left.domains[0].cpus), "0,2,4,6");
}

TEST(Completed, FileWithoutGpuAndMaskHasNoSeats) {
  EXPECT_FALSE(has_seats(completed(in_file("<cpu numaid=\"0\"/>"), by_turns())));
  EXPECT_FALSE(has_seats(completed(in_file("<cpu numaid=\"0\"><pci busid=\"0001:00:00.0\"/></cpu>"), by_turns())));
  EXPECT_FALSE(has_seats(completed(in_file("<gpu dev=\"0\"/>"), by_turns())));
}

TEST(Completed, DeviceWithoutClassIsWhatItIsHere) {
  const auto machine = completed(in_file(R"(<cpu numaid="0"><pci busid="0001:00:00.0"/></cpu>)"), tests::ndv5());
  EXPECT_EQ(placement(machine, std::nullopt).at(0).pci, "0001:00:00.0");
}

TEST(Completed, NicWithoutVendorIsOfAmazonWhereItIsSoHere) {
  const auto of_amazon = [](const std::string& vendor) {
    auto here = by_turns();
    here.machine.domains[0].devices = {
        {.address = "0000:10:1b.0", .device_class = "0x020000", .vendor = "0x1d0f", .rdma = true}};
    const auto file =
        in_file(R"(<cpu numaid="0" affinity="f"><pci busid="ffff:ff:01.0" class="0x060400">)" + std::string(one_gpu) +
                R"(<pci busid="0000:10:1b.0" class="0x020000")" + vendor + "/></pci></cpu>");
    return placement(completed(file, here), 1)[0].nic_is_of_amazon;
  };
  EXPECT_TRUE(of_amazon(""));
  EXPECT_FALSE(of_amazon(R"( vendor="0x15b3")"));
}

TEST(Completed, EthernetBesideAGpuIsItsNicUnlessItIsPlainHere) {
  const auto nic = [](const std::string& address, const Discovery& here) {
    const auto file = in_file(R"(<cpu numaid="0" affinity="f"><pci busid="ffff:ff:01.0" class="0x060400">)" +
                              std::string(one_gpu) + "<pci busid=\"" + address + R"(" class="0x020000"/></pci></cpu>)");
    return placement(completed(file, here), 1)[0].nic;
  };
  EXPECT_EQ(nic("0000:10:1b.0", by_turns()), "0000:10:1b.0");
  EXPECT_EQ(nic("1c0f:00:02.0", tests::ndv5()), "") << "the frontend of the NDv5 node";
}

TEST(Completed, EthernetUnderNoSwitchIsTheHosts) {
  const auto file = in_file(std::string(R"(<cpu numaid="0" affinity="f">)") + one_gpu +
                            R"(<pci busid="0000:00:05.0" class="0x020000"/></cpu>)");
  EXPECT_EQ(placement(completed(file, by_turns()), 1)[0].nic, "");
}

}  // namespace
}  // namespace muster::topology
