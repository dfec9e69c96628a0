// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/nccl_xml.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>
#include <set>
#include <string>

#include "tests/topology/machines.hpp"
#include "topology/nccl/lint.hpp"
#include "topology/nccl/nccl_parser.hpp"

namespace muster::topology {
namespace {

using tests::shipped;

// Every element and attribute that NCCL 2.30 reads.
const std::string everything = results::read_text(tests::source_folder() / "tests/fuzz/topology_seeds/everything.xml");

TEST(NcclXml, EveryElementAndAttributeGoesThereAndBack) {
  const auto file = read_topology(everything);
  EXPECT_TRUE(file.findings.empty());
  EXPECT_EQ(to_nccl_xml(file.machine), everything);
}

TEST(NcclXml, WhatIsWrittenNcclReads) { EXPECT_EQ(nccl_reads(everything), Findings()); }

TEST(NcclXml, MissingAndEmptyAreTwoThings) {
  const auto machine = read_topology(everything).machine;
  const auto& devices = machine.domains.at(0).devices.at(0).children;
  EXPECT_EQ(devices.at(0).link.speed, "");
  EXPECT_EQ(devices.at(0).link.width, 0);
  EXPECT_EQ(devices.at(1).link, PciLink());
}

TEST(NcclXml, ValuesMayHoldOneKindOfQuote) {
  const auto machine = read_topology(R"(<system version="1" name='a "b"'/>)").machine;
  EXPECT_EQ(machine.name, R"(a "b")");
  EXPECT_EQ(read_topology(to_nccl_xml(machine)).machine, machine);
}

TEST(NcclXml, EntitiesAreTextAsForNccl) {
  EXPECT_EQ(read_topology(R"(<system version="1" name="a&amp;b&#65;"/>)").machine.name, "a&amp;b&#65;");
}

TEST(NcclXml, MasksBecomeCpus) {
  const auto machine = read_topology(shipped("ndv4-topo.xml")).machine;
  ASSERT_EQ(machine.domains.size(), 4U);
  EXPECT_EQ(machine.domains[2].cpus->front(), 48);
  EXPECT_EQ(machine.domains[2].cpus->back(), 71);
}

struct Refused {
  std::string name;
  std::string text;
  std::string words;
};

void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class NoTopologyFile : public testing::TestWithParam<Refused> {};

TEST_P(NoTopologyFile, IsRefusedInOneSentence) {
  try {
    read_topology(GetParam().text);
    FAIL() << "it was read";
  } catch (const Error& error) {
    const std::string sentence = error.what();
    EXPECT_NE(sentence.find(GetParam().words), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
  }
}

std::string nested(int depth) {
  std::string text = R"(<system version="1"><cpu numaid="0">)";
  for (int level = 0; level < depth; ++level) text += R"(<pci busid="a">)";
  for (int level = 0; level < depth; ++level) text += "</pci>";
  return text + "</cpu></system>";
}

INSTANTIATE_TEST_SUITE_P(
    Texts, NoTopologyFile,
    testing::Values(
        Refused{"empty", "", "no"}, Refused{"text", "once upon a time\n", "No document element found"},
        Refused{"binary", std::string("\x7f\x45LF\0\1\2", 7), "line 1"},
        Refused{"truncated", "<system version=\"1\">\n  <cpu numaid=\"0\">\n", "line 2, column 19"},
        Refused{"cut_in_a_value", "<system version=\"1\">\n  <cpu numaid=\"0", "line 2"},
        Refused{"wrong_version", "\n<system version=\"2\"/>", "line 2, column 2: the version is '2'"},
        Refused{"no_version", "<system/>", "the version is ''"},
        Refused{"other_root", "<machine/>", "no element 'system'"},
        Refused{"graph", "<graphs version=\"1\"/>", "this is a graph file"},
        Refused{"two_systems", "<system version=\"1\"/>\n<system version=\"1\"/>", "line 2"},
        Refused{"document_type", "<!DOCTYPE s [<!ENTITY a \"aaaa\">]>\n<system version=\"1\"/>", "document type"},
        Refused{"no_numaid", "<system version=\"1\">\n<cpu/></system>", "line 2, column 2: a 'cpu' has no numaid"},
        Refused{"no_busid", "<system version=\"1\"><cpu numaid=\"0\"><pci/></cpu></system>", "no busid"},
        Refused{"deep", nested(5000), "nested deeper"},
        Refused{"huge", std::string(largest_topology_file + 1, ' '), "larger than 16 MiB"}),
    [](const auto& row) { return row.param.name; });

TEST(NcclXml, FileThatIsNotThereIsNamed) {
  EXPECT_THROW(
      {
        try {
          of_topology_file("none/topo.xml", read_topology);
        } catch (const Error& error) {
          EXPECT_EQ(error.path(), "none/topo.xml");
          throw;
        }
      },
      Error);
}

// The published files, where they are at hand: MUSTER_PUBLISHED_TOPOLOGIES names their folder.
class Published : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("MUSTER_PUBLISHED_TOPOLOGIES");
    folder_ =
        folder != nullptr ? std::filesystem::path(folder) : tests::source_folder() / "../shared/reference/topology";
    if (!std::filesystem::exists(folder_)) GTEST_SKIP() << "there are no published files in " << folder_;
  }
  std::string text(const std::string& name) const { return topology_text(folder_ / name); }
  std::filesystem::path folder_;
};

TEST_F(Published, OursSayTheSame) {
  for (const std::string name : {"ndv5-topo.xml", "ndv4-topo.xml"})
    EXPECT_EQ(read_topology(shipped(name)).machine, read_topology(text(name)).machine) << name;
}

TEST_F(Published, AllEightAreRead) {
  // Those of NCv4 leave link_speed empty, by which NCCL plans with half of it.
  const std::set<std::string> wrong{"ndv5-topo.before-2025-01-27.xml", "ncv4-topo.xml", "nc48v4-topo.xml"};
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_)) {
    ++count;
    EXPECT_EQ(has_error(lint(topology_text(file.path()))), wrong.contains(file.path().filename())) << file.path();
    if (file.path().filename().string().find("graph") != std::string::npos) continue;
    const auto machine = read_topology(topology_text(file.path())).machine;
    EXPECT_EQ(read_topology(to_nccl_xml(machine)).machine, machine) << file.path();
  }
  EXPECT_EQ(count, 8);
}

TEST_F(Published, OldFileForNdv5IsCalledByItsFault) {
  const auto findings = lint(text("ndv5-topo.before-2025-01-27.xml"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].wrong, TopologyDefect::masks_swapped);
  EXPECT_NE(findings[0].what.find("2025-01-27"), std::string::npos);
}

TEST(TopologyText, OfAFileThatCannotBeReadIsAnErrorThatNamesIt) {
  try {
    topology_text("/proc/self/mem");  // whose first bytes are nobody's: EIO
    ADD_FAILURE() << "was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), "/proc/self/mem");
  }
}

}  // namespace
}  // namespace muster::topology
