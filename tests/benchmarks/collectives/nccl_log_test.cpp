// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/nccl_log.hpp"

#include <gtest/gtest.h>

namespace muster::benchmarks {
namespace {

using Kinds = std::set<std::string>;

std::string line(const std::string& words) { return "node1:4021:4077 [3] NCCL INFO " + words + "\n"; }

TEST(NcclLog, TellsTransportsAndGpuDirectOfEachChannel) {
  const auto log = read_nccl_log(line("Channel 00/0 : 15[7] -> 0[0] [receive] via NET/IB/2/GDRDMA") +
                                 line("Channel 01/0 : 0[0] -> 8[0] [send] via NET/IB/0(3)/GDRDMA/Shared") +
                                 line("Channel 02/0 : 0[0] -> 8[0] [send] via NET/IB/0") +
                                 line("Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read") +
                                 line("Channel 01/0 : 0[0] -> 1[1] via P2P/direct pointer/read") +
                                 line("Channel 01 : 0[0] -> 1[1] via SHM/direct/direct"));
  EXPECT_EQ(log.transports, (Kinds{"NET/IB", "P2P", "SHM"}));
  EXPECT_EQ(log.network_channels, 3U);
  EXPECT_EQ(log.direct_channels, 2U);
}

TEST(NcclLog, TellsANetworkOfSockets) {
  const auto log =
      read_nccl_log(line("Using network Socket") + line("Channel 00/0 : 1[0] -> 0[0] [receive] via NET/Socket/0"));
  EXPECT_EQ(log.network, "Socket");
  EXPECT_EQ(log.transports, Kinds{"NET/Socket"});
  EXPECT_EQ(log.direct_channels, 0U);
}

TEST(NcclLog, TellsWhereTheNetworkReduces) {
  const auto direct =
      read_nccl_log(line("CollNet 00/0 : 0 [send] via COLLNET/SHARP/0/GDRDMA") +           // 2.21
                    line("CollNet 00/1 : 8 [receive] via COLLNET/SHARP/0/GDRDMA(PCI)") +   // 2.26 on
                    line("CollNet 15/0 : 16 [send] via COLLNET/IB SHARP v4/7/GDRDMA") +    // a plug-in's own name
                    line("Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA(PCI)"));  // for what is not reduced
  EXPECT_EQ(direct.transports, (Kinds{"COLLNET/IB SHARP v4", "COLLNET/SHARP", "NET/IB"}));
  EXPECT_EQ(direct.network_channels, 4U);
  EXPECT_EQ(direct.direct_channels, 4U);
  const auto staged = read_nccl_log(line("CollNet 00/0 : 0 [receive] via COLLNET/SHARP/3"));
  EXPECT_EQ(staged.transports, Kinds{"COLLNET/SHARP"});
  EXPECT_EQ(staged.network_channels, 1U);
  EXPECT_EQ(staged.direct_channels, 0U);
}

TEST(NcclLog, TellsWhetherTheTopologyFileWasRead) {
  EXPECT_EQ(read_nccl_log(line("Loading topology file /opt/ndv5-topo.xml")).topology_files_read, 1U);
  const auto missing = read_nccl_log(line("Could not open XML topology file /opt/ndv5-topo.xml : No such file"));
  EXPECT_EQ(missing.topology_files_read, 0U);
  EXPECT_EQ(missing.topology_file_problem, "/opt/ndv5-topo.xml : No such file");
}

TEST(NcclLog, TellsNvls) {
  EXPECT_TRUE(read_nccl_log(line("NVLS multicast support is available on dev 0 (NVLS_NCHANNELS 16)")).nvls_available);
  const auto none = read_nccl_log(line("NVLS multicast support is not available on dev 0"));
  EXPECT_FALSE(none.nvls_available);
  EXPECT_TRUE(none.nvls_told);
}

TEST(NcclLog, SaysNothingOfOtherLines) {
  EXPECT_EQ(read_nccl_log(""), NcclLog{});
  EXPECT_EQ(read_nccl_log(line("Channel 00/32 : 0 1 2 3") + "Using network IB\n" + line("comm 0x1 rank 0") +
                          line("rank 3 Connected CollNet") + line("CollNet 1/-1/-1->0->-1")),
            NcclLog{});
}

TEST(NcclLog, KeepsOnlyWhatTells) {
  const auto wanted = line("Using network IB") + line("CollNet 00/0 : 0 [send] via COLLNET/SHARP/0");
  EXPECT_EQ(telling_lines(line("comm 0x55 rank 0 nranks 2") + wanted + "garbage\n\xff\n"), wanted);
}

}  // namespace
}  // namespace muster::benchmarks
