// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "results/system/file.hpp"
#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using results::Status;

const std::string file = "opt/microsoft/ndv5-topo.xml";

// A healthy NDv5 node whose NCCL is told the right file, to break in one place.
class TopologyFaults : public testing::Test {
 protected:
  TopologyFaults() { copy_machine("ndv5", tree_); }

  void edit(const std::filesystem::path& where, std::string_view from, std::string_view to) {
    std::string text = results::read_text(tree_.path() / where);
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    tree_.write(where, text.replace(at, from.size(), to));
  }
  void link_to_itself() {
    const std::string gpu = R"(<pci busid="0001:00:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16")";
    edit(file, gpu + "/>", gpu + R"(><gpu><nvlink target="0001:00:00.0" count="18" tclass="0x030200"/></gpu></pci>)");
  }
  results::CheckRun run() const { return checked(tree_.path(), "nd96isr_h100_v5"); }

  TemporaryFolder tree_;
};

// What is no fault, and so does not turn red with a judge that always passes.
class TopologyOtherwise : public TopologyFaults {};

TEST_F(TopologyFaults, FileFromBefore2025) {
  edit(file, "00000000,0000ffff,ffffffff", "x");
  edit(file, "ffffffff,ffff0000,00000000", "00000000,0000ffff,ffffffff");
  edit(file, "\"x\"", "\"ffffffff,ffff0000,00000000\"");
  expect_fault(run(), Status::fail, "topology_masks_swapped", {{"numa", "0"}, {"line", "4"}});
}

TEST_F(TopologyFaults, FileThatNcclRefuses) {
  edit(file, "    <pci", "\t<pci");
  expect_fault(run(), Status::fail, "topology_refused", {{"line", "5"}});
}

TEST_F(TopologyFaults, FileOfAnotherMachine) {
  edit(file, "0009:00", "0004:00");
  expect_fault(run(), Status::fail, "topology_missing", {{"pci", "0004:00:00.0"}});
  expect_fault(run(), Status::fail, "topology_extra", {{"pci", "0009:00:00.0"}});
}

TEST_F(TopologyFaults, FileWithNvlinksToItself) {
  link_to_itself();
  expect_fault(run(), Status::warn, "topology_suspicious", {{"line", "6"}, {"pci", "0001:00:00.0"}});
}

TEST_F(TopologyOtherwise, WhatIsSuspectedIsNotCalledClean) {
  link_to_itself();
  for (const auto& fact : run().measurements)
    EXPECT_NE(fact.metric, "topology.nvlink") << "a warning of this kind was found";
}

TEST_F(TopologyFaults, DumpOfTwoHosts) {
  edit(file, "numaid=\"0\"", R"(host_hash="0x1" numaid="0")");
  edit(file, "numaid=\"1\"", R"(host_hash="0x2" numaid="1")");
  expect_fault(run(), Status::fail, "topology_hosts", {});
}

TEST_F(TopologyFaults, GpuWithoutNvlinks) {
  const std::string link = R"(link_speed="32.0 GT/s PCIe" link_width="16"/>)";
  for (const auto* gpu : {"0001:00", "0002:00", "0003:00"}) {
    const auto begin = fmt::format(R"(<pci busid="{}:00.0" class="0x030200" )", gpu);
    const std::string nvlink =
        gpu == std::string("0002:00") ? "" : R"(<nvlink target="fffffff:ffff:ff" count="18" tclass="0x068000"/>)";
    edit(file, begin + link,
         begin + link.substr(0, link.size() - 2) + R"(><gpu dev="0" sm="90">)" + nvlink + "</gpu></pci>");
  }
  expect_fault(run(), Status::fail, "topology_uneven", {{"pci", "0002:00:00.0"}});
}

TEST_F(TopologyFaults, LinkThatLostLanes) {
  tree_.write("sys/devices/pci0105:00/0105:00:00.0/current_link_width", "8\n");
  expect_fault(run(), Status::fail, "topology_degraded", {{"pci", "0105:00:00.0"}});
}

TEST_F(TopologyFaults, NicNearTheOtherSocket) {
  tree_.write("sys/devices/pci0102:00/0102:00:00.0/numa_node", "1\n");
  expect_fault(run(), Status::fail, "topology_numa", {{"pci", "0102:00:00.0"}});
}

TEST_F(TopologyFaults, FileThatIsNotThere) {
  std::filesystem::remove(tree_.path() / file);
  expect_fault(run(), Status::fail, "topology_unreadable", {});
}

TEST_F(TopologyFaults, FileThatIsNoXml) {
  tree_.write(file, "once upon a time");
  expect_fault(run(), Status::fail, "topology_unreadable", {});
}

TEST_F(TopologyFaults, NcclIsToldNoFile) {
  std::filesystem::remove(tree_.path() / "etc/nccl.conf");
  expect_fault(run(), Status::warn, "topology_unused", {});
}

TEST_F(TopologyFaults, ACarriageReturnIsNamedAndTheFileJudged) {
  tree_.write("etc/nccl.conf", "NCCL_TOPO_FILE=/opt/microsoft/ndv5-topo.xml\r\n");
  const auto found = run();
  expect_fault(found, Status::warn, "topology_unused", {});
  const auto said = std::ranges::find(found.measurements, "topology.unused", &results::Measurement::metric);
  ASSERT_NE(said, found.measurements.end());
  EXPECT_NE(results::to_text(said->value).find("its line of etc/nccl.conf ends in a carriage return"),
            std::string::npos);
}

TEST_F(TopologyFaults, ALineThatNcclDoesNotReadIsNamed) {
  tree_.write("etc/nccl.conf", "NCCL_IB_PCI_RELAXED_ORDERING=1\nNCCL_TOPO_FILE = /opt/microsoft/ndv5-topo.xml\n");
  const auto unread = run();
  expect_fault(unread, Status::warn, "topology_unused", {});
  const auto said = std::ranges::find(unread.measurements, "topology.unused", &results::Measurement::metric);
  ASSERT_NE(said, unread.measurements.end());
  EXPECT_NE(
      results::to_text(said->value).find("etc/nccl.conf: 'NCCL_TOPO_FILE = /opt/microsoft/ndv5-topo.xml' sets nothing"),
      std::string::npos)
      << results::to_text(said->value);
}

// A graph of one channel over so many GPUs.
std::string graph_of(int gpus) {
  std::string text = "<graphs version=\"1\">\n  <graph id=\"0\">\n    <channel>\n";
  for (int gpu = 0; gpu < gpus; ++gpu) text += fmt::format("      <gpu dev=\"{}\"/>\n", gpu);
  return text + "    </channel>\n  </graph>\n</graphs>\n";
}

TEST_F(TopologyFaults, GraphFileOfALargerMachine) {
  const auto conf = results::read_text(tree_.path() / "etc/nccl.conf");
  tree_.write("etc/nccl.conf", conf + "NCCL_GRAPH_FILE=/opt/graph.xml\n");
  tree_.write("opt/graph.xml", graph_of(16));
  expect_fault(run(), Status::fail, "topology_graph", {});
  tree_.write("opt/graph.xml", "once upon a time");
  expect_fault(run(), Status::fail, "topology_graph", {});
  std::filesystem::remove(tree_.path() / "opt/graph.xml");
  expect_fault(run(), Status::fail, "topology_graph", {});
}

TEST_F(TopologyFaults, GraphFileThatNobodyMayMean) {
  const auto conf = results::read_text(tree_.path() / "etc/nccl.conf");
  tree_.write("etc/nccl.conf", conf + "NCCL_GRAPH_FILE=/opt/graph.xml\n");
  tree_.write("opt/graph.xml", graph_of(8));
  expect_fault(run(), Status::warn, "topology_graph_in_use", {{"told_by", "etc/nccl.conf"}});
}

TEST_F(TopologyOtherwise, HealthyMachineStaysGreen) { expect_healthy(run()); }

TEST(TopologySkips, AMachineThatNeedsNoFile) {
  const auto run = checked(source_folder() / "tests/machines/no_numa", "generic");
  EXPECT_EQ(run.outcome, results::Outcome::skipped);
  EXPECT_FALSE(run.reason.empty());
}

TEST(TopologyTree, HasTheFileThatWeShip) {
  EXPECT_EQ(results::read_text(source_folder() / "tests/machines/ndv5" / file),
            results::read_text(source_folder() / "topology/ndv5-topo.xml"));
}

}  // namespace
}  // namespace muster::tests
