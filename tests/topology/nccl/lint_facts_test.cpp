// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/topology/machines.hpp"
#include "topology/machine/completed.hpp"
#include "topology/machine/placement.hpp"
#include "topology/nccl/difference.hpp"
#include "topology/nccl/lint.hpp"

namespace muster::topology {
namespace {

constexpr const char* told_cpu =
    R"(numaid="0" affinity="ffff" arch="x86_64" vendor="AuthenticAMD" familyid="25" modelid="1")";
constexpr const char* full_link = R"(link_speed="32.0 GT/s PCIe" link_width="16")";

std::string file_of(const std::string& devices, const std::string& cpu = told_cpu) {
  return "<system version=\"1\">\n<cpu " + cpu + ">\n" + devices + "\n</cpu>\n</system>\n";
}

// "error uneven 0000:17:00.0", one to a line.
std::string lint_lines(const std::string& text) {
  std::string lines;
  for (const Finding& finding : lint(text))
    lines += fmt::format("{} {} {}\n", finding.severity == Severity::error ? "error" : "warning",
                         to_text(finding.wrong), finding.device);
  return lines;
}

std::string linked_gpu(int number, int links, int sm = 100, const std::string& to = "0x068000") {
  const auto link = links == 0 ? std::string()
                               : fmt::format(R"(<nvlink target="fffffff:ffff:ff" count="{}" tclass="{}"/>)", links, to);
  return fmt::format("<pci busid=\"00{}7:00:00.0\" class=\"0x030200\" {}><gpu dev=\"{}\" sm=\"{}\">{}</gpu></pci>\n",
                     number, full_link, number, sm, link);
}

TEST(WhatNcclAccepts, NicDecidesBeforeTheClass) {
  for (const auto* code : {"0x00ff00", "0x030200", "0x060400", "0x118000"})
    EXPECT_EQ(lint_lines(file_of(fmt::format(
                  R"(<pci busid="0000:17:00.0" class="{}"><nic><net name="erdma_0" dev="0"/></nic></pci>)", code))),
              "")
        << code;
}

TEST(WhatNcclAccepts, UnknownClassIsABridge) {
  for (const auto* code : {"0x060000", "0x080100", "0x058000", "0x010802"})
    EXPECT_EQ(
        lint_lines(file_of(fmt::format(R"(<pci busid="0000:16:00.0" class="{}">{}</pci>)", code, linked_gpu(1, 18)))),
        "")
        << code;
}

TEST(WhatNcclAccepts, IsNoDeviceInsideALeaf) {
  for (const auto* code : {"0x030200", "0x020700", "0x068000"})
    EXPECT_NE(
        lint_lines(file_of(fmt::format(R"(<pci busid="0000:16:00.0" class="{}">{}</pci>)", code, linked_gpu(1, 18))))
            .find("error device_class 0000:16:00.0"),
        std::string::npos)
        << code;
}

TEST(WhatNcclAccepts, IsNoGpuUnderAClassOfABridge) {
  EXPECT_NE(lint_lines(file_of(R"(<pci busid="0000:16:00.0" class="0x060000"><gpu dev="0" sm="90"/></pci>)"))
                .find("error device_class 0000:16:00.0"),
            std::string::npos);
}

TEST(WhatNcclAccepts, DumpLeavesOutNodesWithoutDevices) {
  const auto node = [](int number, const std::string& mask) {
    return fmt::format("<cpu numaid=\"{}\" affinity=\"{}\"/>\n", number, mask);
  };
  const auto of_nodes = [](const std::string& nodes) { return "<system version=\"1\">" + nodes + "</system>"; };
  EXPECT_EQ(lint_lines(of_nodes(node(3, "ffff0000,00000000,00000000,00000000,ffff0000,00000000") +
                                node(0, "0000ffff,00000000,00000000,00000000,0000ffff"))),
            "");
  EXPECT_EQ(lint_lines(of_nodes(node(0, "00ff,00000000,000000ff") + node(1, "ff00,00000000,0000ff00"))), "")
      << "nodes 2 to 7 are between the threads";
  EXPECT_EQ(lint_lines(of_nodes(node(0, "00ff00ff"))), "") << "first threads of node 1";
  EXPECT_EQ(lint_lines(of_nodes(node(0, "55555555"))), "") << "node 1 by turns";
  EXPECT_EQ(lint_lines(of_nodes(node(0, "000000ff") + node(1, "0000fe00"))), "warning masks \n") << "a hole";
}

TEST(WhatNcclPlans, VendorThatItDoesNotKnowIsNoObstacle) {
  const auto findings =
      lint(file_of("", R"(numaid="0" arch="x86_64" vendor="HygonGenuine" familyid="24" modelid="1")"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::error);
  EXPECT_NE(findings[0].what.find("as if nothing were slow between sockets"), std::string::npos) << findings[0].what;
}

TEST(WhatNcclPlans, VendorOfArmIsNotRead) {
  EXPECT_EQ(lint_lines(file_of("", R"(numaid="0" arch="arm64" vendor="ARM")")), "");
}

TEST(WhatEndsNccl, ProcessorThatIsNotToldAboveANet) {
  const std::string net = R"(<pci busid="0000:17:00.0" class="0x020000"><nic><net name="mlx5_0" dev="0"/></nic></pci>)";
  for (const auto* cpu :
       {R"(numaid="0")", R"(numaid="0" arch="x86_64")", R"(numaid="0" arch="x86_64" vendor="GenuineIntel")",
        R"(numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6")",
        R"(numaid="0" arch="x86_64" vendor="AuthenticAMD")"})
    EXPECT_EQ(lint_lines(file_of(net, cpu)), "error processor numa 0\n") << cpu;
  for (const auto* cpu :
       {R"(numaid="0" arch="arm64")", R"(numaid="0" arch="x86_64" vendor="AuthenticAMD" familyid="25")"})
    EXPECT_EQ(lint_lines(file_of(net, cpu)), "") << cpu;
  EXPECT_EQ(lint_lines(file_of(R"(<pci busid="0000:17:00.0" class="0x020000"/>)", R"(numaid="0")")), "") << "NCCL asks";
  EXPECT_EQ(lint_lines(file_of(R"(<nic><net name="eth0" dev="0"/></nic>)", R"(numaid="0")")),
            "error processor numa 0\n");
}

TEST(SlowBridge, IsNamedWithWhatIsBelow) {
  const auto below = [](const std::string& link) {
    return file_of(fmt::format(R"(<pci busid="0000:16:00.0" class="0x060400" {}>
<pci busid="0000:17:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"/></pci>)",
                               link));
  };
  EXPECT_EQ(lint_lines(below(R"(link_speed="2.5 GT/s PCIe" link_width="1")")), "warning link 0000:16:00.0\n");
  EXPECT_EQ(lint_lines(below(R"(link_speed="16.0 GT/s PCIe" link_width="8")")), "");
  EXPECT_EQ(lint_lines(below(full_link)), "");
  EXPECT_EQ(lint_lines(below("")), "");
}

TEST(Nvlinks, GpuWithOtherNvlinksThanItsSiblingsIsNamed) {
  const auto three = linked_gpu(1, 18) + linked_gpu(2, 18) + linked_gpu(3, 18);
  EXPECT_EQ(lint_lines(file_of(three + linked_gpu(4, 18))), "");
  EXPECT_EQ(lint_lines(file_of(three + linked_gpu(4, 0))), "error uneven 0047:00:00.0\n");
  EXPECT_EQ(lint_lines(file_of(three + linked_gpu(4, 17))), "error uneven 0047:00:00.0\n");
  EXPECT_EQ(lint_lines(file_of(linked_gpu(1, 17) + linked_gpu(2, 18))), "error uneven 0017:00:00.0\n");
}

TEST(Nvlinks, OfOtherGpusAreNoMeasure) {
  EXPECT_EQ(lint_lines(file_of(linked_gpu(1, 18, 90) + linked_gpu(2, 12, 80))), "");
  EXPECT_EQ(lint_lines(file_of(linked_gpu(1, 0) + linked_gpu(2, 0))), "");
}

TEST(Nvlinks, OfBridgesBetweenSomeGpusAreSuspicious) {
  EXPECT_EQ(
      lint_lines(file_of(linked_gpu(1, 4, 86, "0x030200") + linked_gpu(2, 4, 86, "0x030200") + linked_gpu(3, 0, 86))),
      "warning uneven 0037:00:00.0\n");
}

TEST(Nvlinks, ToNothingThatSwitchesJoinAreNone) {
  const auto three = linked_gpu(1, 18) + linked_gpu(2, 18) + linked_gpu(3, 18);
  for (const auto* to : {"0x030200", "0x068001"})
    EXPECT_EQ(lint_lines(file_of(three + linked_gpu(4, 18, 100, to))), "error uneven 0047:00:00.0\n") << to;
}

TEST(Nvlinks, ToFourSwitchesAreAsMany) {
  std::string four = linked_gpu(2, 18, 90);
  const std::string one = R"(<nvlink target="fffffff:ffff:ff" count="18" tclass="0x068000"/>)";
  std::string switches;
  for (const int count : {5, 4, 4, 5})
    switches += fmt::format(R"(<nvlink target="0000:c{}:00.0" count="{}" tclass="0x068000"/>)", count, count);
  EXPECT_EQ(lint_lines(file_of(linked_gpu(1, 18, 90) + tests::replaced(four, one, switches))), "");
}

TEST(GpuDirect, IsMissedWhereOthersHaveIt) {
  const auto gpu = [](int number, const std::string& gdr) {
    return fmt::format(R"(<pci busid="00{}7:00:00.0" class="0x030200" {}><gpu sm="90" gdr="{}"/></pci>)", number,
                       full_link, gdr);
  };
  const auto nic = [](const std::string& code, const std::string& gdr) {
    return fmt::format(R"(<pci busid="0098:00:00.0" class="{}" {}><nic><net name="a" dev="0" gdr="{}"/></nic></pci>)",
                       code, full_link, gdr);
  };
  EXPECT_EQ(lint_lines(file_of(gpu(1, "1") + gpu(2, "1") + nic("0x020700", "1"))), "");
  EXPECT_EQ(lint_lines(file_of(gpu(1, "1") + gpu(2, "0"))), "warning gpu_direct 0027:00:00.0\n");
  EXPECT_EQ(lint_lines(file_of(gpu(1, "1") + nic("0x020700", "0"))), "warning gpu_direct 0098:00:00.0\n");
  EXPECT_EQ(lint_lines(file_of(gpu(1, "0") + nic("0x020000", "0"))), "") << "sockets";
}

TEST(OldNccl, EndsWithManyChildren) {
  const auto drives = [](int count) {
    std::string text;
    for (int drive = 0; drive < count; ++drive)
      text += fmt::format(R"(<pci busid="{:04x}:01:00.0" class="0x010802"/>)", drive);
    return text;
  };
  EXPECT_EQ(lint_lines(file_of(drives(128))).find("refused"), std::string::npos);
  EXPECT_NE(lint_lines(file_of(drives(129))).find("warning refused numa 0\n"), std::string::npos);
}

// Two trays that NVLink joins: the same numbers, other hosts.
std::string two_hosts() {
  std::string text = "<system version=\"1\">\n";
  for (const auto* hash : {"0x51", "0xa7"})
    text += fmt::format("<cpu host_hash=\"{}\" numaid=\"0\" affinity=\"ff\" arch=\"arm64\">{}{}</cpu>\n", hash,
                        linked_gpu(1, 18), linked_gpu(2, 18));
  return text + "</system>\n";
}

TEST(SeveralHosts, AreOneFinding) {
  EXPECT_EQ(lint_lines(two_hosts()), "error hosts \n");
  EXPECT_EQ(check_topology(two_hosts(), tests::ndv5()).size(), 1U);
}

TEST(SeveralHosts, AreNotPlaced) {
  const auto machine = read_topology(two_hosts()).machine;
  EXPECT_THROW(placement(machine, std::nullopt), Error);
  EXPECT_THROW(completed(machine, tests::ndv5()), Error);
  EXPECT_EQ(placement(first_host(machine), std::nullopt).size(), 2U);
}

TEST(SeveralHosts, AreNotSeveralNodesOfOne) {
  EXPECT_EQ(lint_lines("<system version=\"1\"><cpu host_hash=\"0x51\" numaid=\"0\" affinity=\"0f\"/>"
                       "<cpu host_hash=\"0x51\" numaid=\"1\" affinity=\"f0\"/></system>"),
            "");
}

TEST(GpusBehindOneAddress, AreARankEach) {
  const auto parts = [](const std::string& second) {
    return read_topology(file_of(R"(<pci busid="0000:17:00.0" class="0x030200"><gpu dev="0" sm="107" mlopart="0"/>)" +
                                 second + R"(</pci><pci busid="0000:97:00.0" class="0x030200"/>)"))
        .machine;
  };
  const auto seats = placement(parts(R"(<gpu dev="1" sm="107" mlopart="1"/>)"), std::nullopt);
  ASSERT_EQ(seats.size(), 3U);
  EXPECT_EQ(count_of_gpus(parts(R"(<gpu dev="1" sm="107" mlopart="1"/>)")), 3U);
  EXPECT_EQ(seats[1].pci, "0000:17:00.0");
  EXPECT_EQ(seats[1].gpu, 1);
  EXPECT_EQ(seats[2].gpu, 2);
  EXPECT_NE(seats[0].cpus, seats[1].cpus);
  const auto shared = placement(parts(R"(<gpu dev="0" sm="107" mlopart="0"/>)"), std::nullopt);
  EXPECT_EQ(shared.size(), 3U);
  EXPECT_EQ(shared[2].gpu, 1) << "two ranks of one GPU";
}

}  // namespace
}  // namespace muster::topology
