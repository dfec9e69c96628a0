// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/topology/machines.hpp"
#include "topology/cpu/cpu_list.hpp"

namespace muster::topology {
namespace {

using tests::shipped;

Machine shipped_machine(const std::string& name) { return read_topology(shipped(name)).machine; }

class EightRanks : public testing::TestWithParam<std::string> {};

TEST_P(EightRanks, SitOnTheSocketOfTheirGpuBesideTheirNic) {
  const Machine here = shipped_machine(GetParam());
  const auto seats = placement(here, 8);
  ASSERT_EQ(seats.size(), 8U);
  const auto gpus = devices(here, DeviceKind::gpu);
  std::vector<int> all;
  for (const RankPlacement& seat : seats) {
    const auto& gpu = gpus.at(static_cast<std::size_t>(seat.gpu));
    EXPECT_EQ(seat.rank, seat.gpu);
    EXPECT_EQ(seat.pci, gpu.node->address);
    EXPECT_EQ(seat.numa, gpu.domain->number);
    EXPECT_TRUE(std::ranges::includes(*gpu.domain->cpus, seat.cpus)) << seat.rank;
    EXPECT_EQ(seat.cpus.size(), 12U);
    EXPECT_EQ(seat.nic, "010" + std::to_string(seat.rank + 1) + ":00:00.0");
    all.insert(all.end(), seat.cpus.begin(), seat.cpus.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(to_text(all), "0-95");
}

INSTANTIATE_TEST_SUITE_P(Azure, EightRanks, testing::Values("ndv5-topo.xml", "ndv4-topo.xml"),
                         [](const auto& row) { return row.param.substr(0, 4); });

TEST(Placement, OnNdv4FollowsGpusAndNotNumaNodes) {
  const auto seats = placement(shipped_machine("ndv4-topo.xml"), 8);
  std::vector<std::int64_t> nodes;
  for (const RankPlacement& seat : seats) nodes.push_back(*seat.numa);
  EXPECT_EQ(nodes, (std::vector<std::int64_t>{1, 1, 0, 0, 3, 3, 2, 2}));
}

TEST(Placement, HalfANodeStaysOnOneSocket) {
  for (const RankPlacement& seat : placement(shipped_machine("ndv5-topo.xml"), 4)) EXPECT_EQ(seat.numa, 0);
  for (const RankPlacement& seat : placement(shipped_machine("ndv4-topo.xml"), 4)) EXPECT_LT(seat.cpus.back(), 48);
}

TEST(Placement, ThreadsOfACoreStayTogether) {
  Machine here;
  here.domains.resize(1);
  here.domains[0].number = 0;
  here.domains[0].cpus = cpu_list("0-3,8-11");
  const auto seats = placement(here, 2);
  EXPECT_EQ(to_text(seats[0].cpus), "0-1,8-9");
  EXPECT_EQ(to_text(seats[1].cpus), "2-3,10-11");
}

// NUMA nodes with these CPUs and nothing else.
Machine with_masks(const std::vector<std::string>& masks) {
  Machine machine;
  for (const auto& mask : masks) {
    NumaDomain& domain = machine.domains.emplace_back();
    domain.number = static_cast<std::int64_t>(machine.domains.size()) - 1;
    domain.cpus = cpu_list(mask);
  }
  return machine;
}

TEST(Placement, NodesByTurnsHaveCpusForEveryRank) {
  const auto seats = placement(with_masks({"0,2,4,6", "1,3,5,7"}), 4);
  EXPECT_EQ(to_text(seats[0].cpus), "0,2");
  EXPECT_EQ(to_text(seats[3].cpus), "5,7");
  EXPECT_EQ(to_text(seats[3].cores), "6-7");
}

TEST(Placement, NodesOfOneCpuHaveOneSeatEach) {
  const auto seats = placement(with_masks({"0", "1"}), 2);
  EXPECT_EQ(to_text(seats[0].cpus), "0");
  EXPECT_EQ(to_text(seats[1].cpus), "1");
  EXPECT_THROW(placement(with_masks({"0", "1"}), 3), Error);
}

TEST(Placement, DeviceWithoutANodeHasCoresOfAll) {
  auto machine = with_masks({"0-3", "4-7"});
  machine.domains.emplace_back().number = -1;
  for (const auto* address : {"0000:05:00.0", "0000:06:00.0"}) {
    PciNode& device = machine.domains.back().devices.emplace_back();
    device.address = address;
    device.device_class = "0x030200";
  }
  const auto seats = placement(machine, std::nullopt);
  EXPECT_EQ(to_text(seats[0].cpus), "0-3");
  EXPECT_EQ(to_text(seats[1].cpus), "4-7");
  EXPECT_THROW(mpirun_options(seats, machine), Error);
}

TEST(Placement, NodesWithOneMaskShareItsCores) {
  const auto seats = placement(with_masks({"0-7", "0-7"}), 2);
  EXPECT_EQ(to_text(seats[0].cpus), "0-3");
  EXPECT_EQ(to_text(seats[1].cpus), "4-7");
}

TEST(Placement, ThreadsOfACoreAreNeverTwoSeats) {
  Machine one_core = with_masks({"0-1"});
  one_core.cores = {{{0, 1}, 0}};
  EXPECT_EQ(to_text(placement(one_core, 1)[0].cpus), "0-1");
  EXPECT_THROW(placement(one_core, 2), Error);
}

TEST(Placement, WithoutGpusAndCpusIsRefused) {
  Machine machine;
  machine.domains.resize(2);
  EXPECT_FALSE(has_seats(machine));
  EXPECT_THROW(placement(machine, std::nullopt), Error);
  EXPECT_THROW(placement(machine, 2), Error);
}

TEST(Placement, MoreRanksThanGpusOrCpusAreRefused) {
  EXPECT_THROW(placement(shipped_machine("ndv5-topo.xml"), 9), Error);
  Machine small;
  small.domains.resize(1);
  small.domains[0].cpus = {0, 1};
  EXPECT_THROW(placement(small, 3), Error);
}

TEST(Placement, InAContainerTakesItsCpusAlone) {
  const auto found = discover(Sysfs(tests::source_folder() / "tests/machines/container_2_of_96"));
  const auto seats = placement(usable(found), 2);
  EXPECT_EQ(to_text(seats[0].cpus), "10");
  EXPECT_EQ(to_text(seats[1].cpus), "11");
}

TEST(Rankfile, CountsOverHosts) {
  const auto text = rankfile(placement(shipped_machine("ndv5-topo.xml"), 8), {"gpu-0001", "gpu-0002"});
  EXPECT_TRUE(text.starts_with("rank 0=gpu-0001 slot=0-11\n"));
  EXPECT_TRUE(text.ends_with("rank 15=gpu-0002 slot=84-95\n"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 16);
}

TEST(Rankfile, CountsCoresAndNotTheirThreads) {
  const auto seats = placement(with_masks({"0-23,48-71", "24-47,72-95"}), 4);
  EXPECT_EQ(to_text(seats[0].cpus), "0-11,48-59");
  EXPECT_TRUE(rankfile(seats, {"h"}).ends_with("rank 3=h slot=36-47\n"));
}

TEST(MpirunOptions, CountCoresAndNotTheirThreads) {
  const auto machine = with_masks({"0-23,48-71", "24-47,72-95"});
  EXPECT_EQ(mpirun_options(placement(machine, 8), machine), "-np 8 --map-by ppr:4:numa:PE=6 --bind-to core");
}

TEST(MpirunOptions, CannotSayNodesOfDifferentSizesAndUnknownOnes) {
  const auto uneven = with_masks({"0-7", "8-11"});
  EXPECT_THROW(mpirun_options(placement(uneven, 4), uneven), Error);
  auto unknown = with_masks({"0-7"});
  unknown.domains[0].number = -1;
  EXPECT_THROW(mpirun_options(placement(unknown, 2), unknown), Error);
  auto memory_alone = with_masks({"0-3", "4-7"});
  memory_alone.domains.emplace_back().number = 2;
  memory_alone.domains.back().cpus = std::vector<int>();
  EXPECT_THROW(mpirun_options(placement(memory_alone, 2), memory_alone), Error);
}

TEST(MpirunOptions, OfSeveralHostsFillEachOfThem) {
  const auto ndv5 = shipped_machine("ndv5-topo.xml");
  EXPECT_EQ(mpirun_binding(placement(ndv5, 8), ndv5), "--map-by ppr:4:numa:PE=12 --bind-to core");
  EXPECT_EQ(mpirun_options(placement(ndv5, 4), ndv5), "-np 4 --map-by ppr:4:numa:PE=12 --bind-to core");
  EXPECT_THROW(mpirun_binding(placement(ndv5, 4), ndv5), Error);
}

TEST(MpirunOptions, WhereOptionsCanSayIt) {
  const auto ndv5 = shipped_machine("ndv5-topo.xml");
  EXPECT_EQ(mpirun_options(placement(ndv5, 8), ndv5), "-np 8 --map-by ppr:4:numa:PE=12 --bind-to core");
  const auto ndv4 = shipped_machine("ndv4-topo.xml");
  EXPECT_THROW(mpirun_options(placement(ndv4, 8), ndv4), Error);
}

TEST(Environment, NamesGpusAndNics) {
  const auto found = tests::ndv5();
  const auto seats = placement(found.machine, 2);
  EXPECT_EQ(environment(seats, found.names),
            "export CUDA_DEVICE_ORDER=PCI_BUS_ID\nexport CUDA_VISIBLE_DEVICES=0,1\n"
            "export NCCL_IB_HCA==mlx5_ib0,mlx5_ib1\nexport UCX_NET_DEVICES=mlx5_ib0:1,mlx5_ib1:1\n");
  EXPECT_EQ(environment({seats[1]}, found.names),
            "export CUDA_DEVICE_ORDER=PCI_BUS_ID\nexport CUDA_VISIBLE_DEVICES=1\n"
            "export NCCL_IB_HCA==mlx5_ib1\nexport UCX_NET_DEVICES=mlx5_ib1:1\n");
}

}  // namespace
}  // namespace muster::topology
