// SPDX-License-Identifier: Apache-2.0
#include "topology/siblings/siblings.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>

#include "tests/support/files.hpp"
#include "topology/kernel/owner.hpp"

namespace muster::topology {
namespace {

namespace fs = std::filesystem;

class Siblings : public testing::Test {
 protected:
  Siblings() { tests::copy_machine("ndv5", tree_); }

  // What is odd, and what is damaged, by path.
  std::map<std::string, std::string> odd(Kin kin) const {
    std::map<std::string, std::string> found;
    const auto told = Sysfs(tree_.path()).told_to([&](const Error& error) { found[error.path()] = error.what(); });
    for (const auto& file : odd_files(told, kin)) found[file.path] = file.problem;
    return found;
  }
  void remove(const std::string& path) const { fs::remove_all(fs::canonical(tree_.path() / path)); }
  void write(const std::string& path, const std::string& text) const {
    std::ofstream(fs::canonical(tree_.path() / path)) << text;
  }

  tests::TemporaryFolder tree_;
};

constexpr auto every = {Kin::adapter, Kin::port,     Kin::interface, Kin::drive, Kin::name_space,
                        Kin::gpu,     Kin::function, Kin::cpu,       Kin::numa,  Kin::memory_controller};

TEST_F(Siblings, OfAHealthyMachineAreAlike) {
  for (const auto kin : every) EXPECT_EQ(odd(kin), (std::map<std::string, std::string>()));
}

struct Loss {
  Kin kin;
  std::string path;
  std::string problem;
};

void PrintTo(const Loss& loss, std::ostream* out) { *out << loss.path; }

class LostFile : public Siblings, public testing::WithParamInterface<Loss> {};

TEST_P(LostFile, IsNamedWithWhoHasIt) {
  const auto& [kin, path, problem] = GetParam();
  remove(path);
  EXPECT_EQ(odd(kin), (std::map<std::string, std::string>{{path, "is absent, while " + problem + " it"}}));
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKin, LostFile,
    testing::Values(
        Loss{Kin::adapter, "sys/class/infiniband/mlx5_ib3/fw_ver", "7 of 8 adapters have"},
        Loss{Kin::port, "sys/class/infiniband/mlx5_ib3/ports/1/counters/port_rcv_errors", "7 of 8 ports have"},
        Loss{Kin::port, "sys/class/infiniband/mlx5_ib3/ports/1/hw_counters/lifespan", "7 of 8 ports have"},
        Loss{Kin::interface, "sys/class/net/ib3/mtu", "7 of 8 interfaces have"},
        Loss{Kin::drive, "sys/class/nvme/nvme2/queue_count", "7 of 8 drives have"},
        Loss{Kin::name_space, "sys/block/nvme2n1/size", "7 of 8 namespaces have"},
        Loss{Kin::gpu, "proc/driver/nvidia/gpus/0003:00:00.0/information", "7 of 8 GPUs have"},
        Loss{Kin::function, "sys/bus/pci/devices/0003:00:00.0/max_link_width", "7 of 8 PCI functions have"},
        Loss{Kin::function, "sys/bus/pci/devices/0003:00:00.0/class", "7 of 8 PCI functions have"},
        Loss{Kin::cpu, "sys/devices/system/cpu/cpu1/topology/core_id", "3 of 4 CPUs have"},
        Loss{Kin::numa, "sys/devices/system/node/node1/distance", "1 of 2 NUMA nodes have"},
        Loss{Kin::memory_controller, "sys/devices/system/edac/mc/mc0/ue_count", "1 of 2 memory controllers have"}));

INSTANTIATE_TEST_SUITE_P(
    OfAnAdapterWithoutSiblings, LostFile,
    testing::Values(
        Loss{Kin::adapter, "sys/class/infiniband/mlx5_an0/board_id", "8 of 8 other adapters have"},
        Loss{Kin::adapter, "sys/class/infiniband/mlx5_an0/node_guid", "all adapters with node_type have"},
        Loss{Kin::port, "sys/class/infiniband/mlx5_an0/ports/1/lid", "all ports with state have"},
        Loss{Kin::port, "sys/class/infiniband/mlx5_an0/ports/1/counters/port_xmit_wait", "8 of 8 other ports have"},
        Loss{Kin::port, "sys/class/infiniband/mlx5_an0/ports/1/hw_counters/lifespan", "8 of 8 other ports have"},
        Loss{Kin::port, "sys/class/infiniband/mlx5_an0/ports/1/gids/1", "8 of 8 other ports have"},
        Loss{Kin::interface, "sys/class/net/an0/carrier_changes", "8 of 8 other interfaces have"},
        Loss{Kin::interface, "sys/class/net/an0/mtu", "all interfaces with carrier have"},
        Loss{Kin::function, "sys/bus/pci/devices/1c0f:00:02.0/max_link_width", "16 of 24 other PCI functions have"}));

TEST_F(Siblings, WhatIsEmptyWithoutSiblingsIsNamedByTheOthersOfItsMaker) {
  for (const auto& [kin, path, others] :
       {std::tuple(Kin::adapter, "sys/class/infiniband/mlx5_an0/board_id", "8 of 8 other adapters"),
        {Kin::drive, "sys/class/nvme/nvme5/model", "7 of 7 other drives"}}) {
    write(path, "");
    EXPECT_EQ(odd(kin),
              (std::map<std::string, std::string>{{path, "is empty, while " + std::string(others) + " have it"}}));
  }
}

TEST_F(Siblings, TheOnlyAdapterLacksWhatTheKernelMakesForEach) {
  for (int nic = 0; nic < 8; ++nic) fs::remove(tree_.path() / ("sys/class/infiniband/mlx5_ib" + std::to_string(nic)));
  remove("sys/class/infiniband/mlx5_an0/board_id");  // which is its driver's
  remove("sys/class/infiniband/mlx5_an0/sys_image_guid");
  EXPECT_EQ(odd(Kin::adapter),
            (std::map<std::string, std::string>{{"sys/class/infiniband/mlx5_an0/sys_image_guid",
                                                 "is absent, while all adapters with node_type have it"}}));
}

TEST_F(Siblings, AModelWithoutAGroupOfFilesIsNotOdd) {
  for (const auto* name : {"roce_adp_retrans", "roce_slow_restart"})
    remove("sys/class/infiniband/mlx5_an0/ports/1/hw_counters/" + std::string(name));
  EXPECT_TRUE(odd(Kin::port).empty());
}

TEST_F(Siblings, AnotherDriversCounterOfTheSameNameIsNotOdd) {
  const std::string port = "sys/class/infiniband/rxe0/ports/1";
  for (const auto* name : {"node_type", "node_guid", "sys_image_guid", "fw_ver"})
    tree_.write("sys/class/infiniband/rxe0/" + std::string(name), "1: CA");
  for (const auto& [name, text] : {std::pair("state", "4: ACTIVE"),
                                   {"phys_state", "5: LinkUp"},
                                   {"link_layer", "Ethernet"},
                                   {"rate", "2.5 Gb/sec (1X SDR)"},
                                   {"lid", "0x0"},
                                   {"sm_lid", "0x0"},
                                   {"hw_counters/duplicate_request", "0"},
                                   {"hw_counters/sent_pkts", "0"},
                                   {"hw_counters/link_downed", "0"}})
    tree_.write(port + "/" + name, text);
  EXPECT_TRUE(odd(Kin::port).empty());
}

TEST_F(Siblings, AFolderThatIsGoneIsNamedOnce) {
  remove("sys/class/infiniband/mlx5_ib3/ports/1/hw_counters");
  const auto found = odd(Kin::port);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.begin()->first, "sys/class/infiniband/mlx5_ib3/ports/1/hw_counters");
  EXPECT_NE(found.begin()->second.find("files are absent, such as"), std::string::npos) << found.begin()->second;
}

TEST_F(Siblings, ANamespaceWithTwoPathsIsOne) {
  fs::create_directory(tree_.path() / "sys/class/nvme/nvme1/nvme0c1n1");
  remove("sys/block/nvme2n1/size");
  EXPECT_EQ(
      odd(Kin::name_space),
      (std::map<std::string, std::string>{{"sys/block/nvme2n1/size", "is absent, while 7 of 8 namespaces have it"}}));
}

TEST_F(Siblings, AValueThatMostDoNotHaveIsNamed) {
  for (const auto& [path, text] : {std::pair("sys/block/nvme4n1/ro", "1"),
                                   {"sys/block/nvme4n1/size", "0"},
                                   {"sys/block/nvme4n1/queue/logical_block_size", "4096"}}) {
    const auto before = Sysfs(tree_.path()).text(path).value();
    write(path, text);
    const auto found = odd(Kin::name_space);
    ASSERT_EQ(found.size(), 1U) << path;
    EXPECT_EQ(found.begin()->second,
              "'" + std::string(text) + "' instead of '" + before + "', which 7 of 8 namespaces have");
    write(path, before);
  }
}

TEST_F(Siblings, WhatHoldsAnotherFormIsDamaged) {
  for (const auto& [kin, path] : {std::pair(Kin::port, "sys/class/infiniband/mlx5_ib3/ports/1/counters/VL15_dropped"),
                                  {Kin::cpu, "sys/devices/system/cpu/cpu1/topology/thread_siblings_list"},
                                  {Kin::drive, "sys/class/nvme/nvme2/cntlid"}})
    for (const auto* text : {"", "garbage"}) {
      write(path, text);
      if (kin == Kin::cpu && *text == '\0') continue;  // a list may be empty
      EXPECT_TRUE(odd(kin).contains(path)) << path << " " << text;
    }
}

TEST_F(Siblings, WhatIsNoTextIsDamaged) {
  for (const auto& [kin, path] : {std::pair(Kin::adapter, "sys/class/infiniband/mlx5_an0/hca_type"),
                                  {Kin::adapter, "sys/class/infiniband/mlx5_an0/fw_ver"},
                                  {Kin::interface, "sys/class/net/an0/operstate"},
                                  {Kin::memory_controller, "sys/devices/system/edac/mc/mc0/mc_name"}}) {
    const auto before = Sysfs(tree_.path()).text(path).value();
    for (const auto* text : {"\x01garbage", "garbage\xff", "gar\x7f"}) {
      write(path, text);
      EXPECT_NE(odd(kin)[path].find("is not text"), std::string::npos) << path << " " << odd(kin)[path];
    }
    write(path, before);
  }
}

TEST_F(Siblings, WhatIsNeverEmptyIsDamagedWhereItIs) {
  for (const auto& [kin, path] : {std::pair(Kin::adapter, "sys/class/infiniband/mlx5_an0/node_type"),
                                  {Kin::interface, "sys/class/net/an0/operstate"}}) {
    write(path, "");
    EXPECT_EQ(odd(kin)[path], std::string(path) + ": is empty");
  }
}

TEST_F(Siblings, VolumesOfANetworkAreOfAnySize) {
  for (int drive = 0; drive < 8; ++drive)
    write("sys/class/nvme/nvme" + std::to_string(drive) + "/model", "Amazon Elastic Block Store");
  write("sys/block/nvme4n1/size", "16777216");
  EXPECT_TRUE(odd(Kin::name_space).empty());
}

TEST_F(Siblings, WhatIsEmptyForAllIsNoFault) {
  for (int nic = 0; nic < 8; ++nic) write("sys/class/infiniband/mlx5_ib" + std::to_string(nic) + "/board_id", "");
  EXPECT_TRUE(odd(Kin::adapter).empty());
  write("sys/class/infiniband/mlx5_ib3/fw_ver", "");
  EXPECT_EQ(odd(Kin::adapter).begin()->second, "is empty, and that of 7 of 8 adapters is not");
}

TEST_F(Siblings, AnotherModelIsNoSibling) {
  for (const auto* path : {"sys/class/nvme/nvme2/queue_count", "sys/class/nvme/nvme2/cntlid"}) remove(path);
  write("sys/class/nvme/nvme2/model", "another");
  EXPECT_TRUE(odd(Kin::drive).empty());
}

TEST(Owner, IsTheComponentOfAPath) {
  using Labels = std::map<std::string, std::string, std::less<>>;
  EXPECT_EQ(owner("sys/class/infiniband/mlx5_0/ports/2/counters/symbol_error"),
            (Labels{{"nic", "mlx5_0"}, {"port", "2"}}));
  EXPECT_EQ(owner("sys/devices/system/cpu/cpu12/topology/core_id"), (Labels{{"cpu", "12"}}));
  EXPECT_EQ(owner("sys/devices/system/cpu/cpufreq/policy0"), Labels());
  EXPECT_EQ(owner("proc/meminfo"), Labels());
}

}  // namespace
}  // namespace muster::topology
