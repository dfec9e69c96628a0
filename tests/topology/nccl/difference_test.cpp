// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/topology/machines.hpp"

namespace muster::topology {
namespace {

using tests::ndv5;
using tests::replaced;
using tests::shipped;

const std::string file_name = "ndv5-topo.xml";
const std::string mask_0 = "00000000,0000ffff,ffffffff";
const std::string mask_1 = "ffffffff,ffff0000,00000000";
const std::string gen5 = R"(link_speed="32.0 GT/s PCIe" link_width="16")";

std::string line_of(std::string_view device) {
  const std::string text = shipped(file_name);
  const auto at = text.find(device);
  const auto begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) + 1 - begin);
}

// One edit of ndv5-topo.xml: pieces and what replaces them.
struct Mutation {
  std::string name;
  std::vector<std::pair<std::string, std::string>> edits;
  TopologyDefect wrong;
  std::string device;
};

std::string mutated(const Mutation& mutation) {
  std::string text = shipped(file_name);
  for (const auto& [from, to] : mutation.edits) text = replaced(std::move(text), from, to);
  return text;
}

std::string with(std::string_view device, std::string_view from, std::string_view to) {
  return replaced(line_of(device), from, to);
}

std::vector<Mutation> mutations() {
  const auto edit = [](std::string_view device, std::string_view from, std::string_view to) {
    return std::pair(line_of(device), with(device, from, to));
  };
  const auto move = [](std::string_view device, std::string_view before) {
    return std::vector{std::pair(line_of(device), std::string()),
                       std::pair(line_of(before), line_of(device) + line_of(before))};
  };
  return {
      {"masks_swapped",
       {{mask_0, "0"}, {mask_1, mask_0}, {R"("0")" + std::string(" arch"), '"' + mask_1 + "\" arch"}},
       TopologyDefect::masks_swapped,
       "numa 0"},
      {"both_masks_of_numa_0", {{mask_1, mask_0}}, TopologyDefect::masks, "numa 1"},
      {"both_masks_of_numa_1", {{mask_0, mask_1}}, TopologyDefect::masks, "numa 1"},
      {"mask_lacks_a_cpu", {{mask_0, "00000000,00007fff,ffffffff"}}, TopologyDefect::masks, "numa 0"},
      {"mask_has_a_cpu_too_many", {{mask_0, "00000000,0001ffff,ffffffff"}}, TopologyDefect::masks, "numa 1"},
      {"mask_words_reversed",
       {{mask_0, "ffffffff,0000ffff,00000000"}, {mask_1, "00000000,ffff0000,ffffffff"}},
       TopologyDefect::masks,
       "numa 0"},
      {"mask_is_a_list", {{mask_0, "0-47"}}, TopologyDefect::masks, "numa 0"},
      {"nic_moved_to_the_other_socket", move("0101:00:00.0", "0009:00:00.0"), TopologyDefect::numa, "0101:00:00.0"},
      {"gpu_moved_to_the_other_socket", move("0008:00:00.0", "0009:00:00.0"), TopologyDefect::numa, "0008:00:00.0"},
      {"nic_moved_to_the_next_switch", move("0101:00:00.0", "0002:00:00.0"), TopologyDefect::pairing, "0101:00:00.0"},
      {"gpu_moved_to_the_next_switch", move("000c:00:00.0", "000b:00:00.0"), TopologyDefect::pairing, "000c:00:00.0"},
      {"gpu_under_no_switch", move("0001:00:00.0", "ffff:ff:01.0"), TopologyDefect::pairing, "0001:00:00.0"},
      {"gpu_missing", {{line_of("0009:00:00.0"), ""}}, TopologyDefect::extra, "0009:00:00.0"},
      {"nic_missing", {{line_of("0105:00:00.0"), ""}}, TopologyDefect::extra, "0105:00:00.0"},
      {"gpu_that_is_not_there",
       {{line_of("0101:00:00.0"), line_of("0101:00:00.0") + with("0001:00:00.0", "0001", "0004")}},
       TopologyDefect::missing,
       "0004:00:00.0"},
      {"gpu_with_8_lanes", {edit("0001:00:00.0", R"("16")", R"("8")")}, TopologyDefect::link, "0001:00:00.0"},
      {"nic_with_8_lanes", {edit("0108:00:00.0", R"("16")", R"("8")")}, TopologyDefect::link, "0108:00:00.0"},
      {"switch_with_8_lanes", {edit("ffff:ff:03.0", R"("16")", R"("8")")}, TopologyDefect::link, "ffff:ff:03.0"},
      {"nic_of_generation_4",
       {edit("0102:00:00.0", "32.0 GT/s PCIe", "16.0 GT/s PCIe")},
       TopologyDefect::link,
       "0102:00:00.0"},
      {"speed_that_nccl_does_not_know",
       {edit("0103:00:00.0", "32.0 GT/s PCIe", "32.0 GT/s")},
       TopologyDefect::link,
       "0103:00:00.0"},
      {"width_that_no_link_has", {edit("0103:00:00.0", R"("16")", R"("15")")}, TopologyDefect::link, "0103:00:00.0"},
      {"upper_case_id", {edit("000a:00:00.0", "000a", "000A")}, TopologyDefect::bus_id, "000a:00:00.0"},
      {"device_twice",
       {{line_of("0001:00:00.0"), line_of("0001:00:00.0") + line_of("0001:00:00.0")}},
       TopologyDefect::duplicate,
       "0001:00:00.0"},
      {"numa_node_twice", {{R"(numaid="1")", R"(numaid="0")"}}, TopologyDefect::duplicate, "numa 0"},
      {"numa_node_that_is_not_there", {{R"(numaid="1")", R"(numaid="2")"}}, TopologyDefect::numa, "numa 2"},
      {"numa_nodes_exchanged",
       {{R"(numaid="1")", R"(numaid="x")"}, {R"(numaid="0")", R"(numaid="1")"}, {R"(numaid="x")", R"(numaid="0")"}},
       TopologyDefect::numa,
       "numa 1"},
      {"gpu_with_the_class_of_a_nic",
       {edit("0003:00:00.0", "0x030200", "0x020700")},
       TopologyDefect::device_class,
       "0003:00:00.0"},
      {"switch_with_the_class_of_a_gpu",
       {edit("ffff:ff:01.0", "0x060400", "0x030200")},
       TopologyDefect::device_class,
       "ffff:ff:01.0"},
      {"other_processor_model", {{R"(modelid="143")", R"(modelid="85")"}}, TopologyDefect::processor, "numa 0"},
      {"unknown_processor_vendor", {{"GenuineIntel", "Intel"}}, TopologyDefect::processor, "numa 0"},
      {"unknown_architecture", {{"x86_64", "amd64"}}, TopologyDefect::processor, "numa 0"},
      {"misspelt_element", {edit("0001:00:00.0", "<pci ", "<pcie ")}, TopologyDefect::ignored, "0001:00:00.0"},
      {"misspelt_attribute",
       {edit("0001:00:00.0", "link_width", "link_witdh")},
       TopologyDefect::ignored,
       "0001:00:00.0"},
      {"width_that_is_no_number",
       {edit("0001:00:00.0", R"("16")", R"("16 lanes")")},
       TopologyDefect::ignored,
       "0001:00:00.0"},
      {"space_before_the_sign", {edit("0001:00:00.0", "busid=", "busid =")}, TopologyDefect::ignored, ""},
      {"tab_between_attributes",
       {edit("0001:00:00.0", "\" link_speed", "\"\tlink_speed")},
       TopologyDefect::refused,
       ""},
      {"tab_before_an_element", {{"  <cpu", "\t<cpu"}}, TopologyDefect::refused, ""},
      {"line_break_between_attributes",
       {edit("0001:00:00.0", "\" link_speed", "\"\nlink_speed")},
       TopologyDefect::refused,
       ""},
      {"declaration", {{"<!-- SPDX", "<?xml version=\"1.0\"?>\n<!-- SPDX"}}, TopologyDefect::refused, ""},
      {"comment_that_begins_with_a_sign", {{"<!-- SPDX", "<!--a=b-->\n<!-- SPDX"}}, TopologyDefect::refused, ""},
      {"space_in_a_closing_tag", {{"</cpu>", "</cpu >"}}, TopologyDefect::refused, ""},
      {"value_of_254_characters",
       {{"<system ", "<system name=\"" + std::string(254, 'n') + "\" "}},
       TopologyDefect::refused,
       ""},
  };
}

void PrintTo(const Mutation& mutation, std::ostream* out) { *out << mutation.name; }

class OneMutation : public testing::TestWithParam<Mutation> {};

TEST_P(OneMutation, IsOneErrorThatNamesTheDevice) {
  const auto findings = check_topology(mutated(GetParam()), ndv5());
  std::vector<std::string> errors;
  for (const Finding& finding : findings)
    if (finding.severity == Severity::error)
      errors.push_back(std::string(to_text(finding.wrong)) + " " + finding.device + ": " + finding.what);
  ASSERT_EQ(errors.size(), 1U) << testing::PrintToString(errors);
  const auto error = std::ranges::find(findings, Severity::error, &Finding::severity);
  EXPECT_EQ(to_text(error->wrong), to_text(GetParam().wrong)) << errors[0];
  EXPECT_EQ(error->device, GetParam().device) << errors[0];
}

INSTANTIATE_TEST_SUITE_P(Ndv5, OneMutation, testing::ValuesIn(mutations()),
                         [](const auto& row) { return row.param.name; });

TEST(Difference, OneErrorHidesNoOtherOfTheDevice) {
  std::string text = replaced(shipped(file_name), line_of("0101:00:00.0"), "");
  const auto slow = with("0101:00:00.0", "32.0 GT/s PCIe", "fast");
  text = replaced(std::move(text), line_of("0009:00:00.0"), slow + line_of("0009:00:00.0"));
  Findings errors = check_topology(text, ndv5());
  std::erase_if(errors, [](const Finding& finding) { return finding.severity != Severity::error; });
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].device, "0101:00:00.0");
  EXPECT_EQ(errors[1].device, "0101:00:00.0");
  EXPECT_NE(errors[0].wrong, errors[1].wrong);
}

TEST(Difference, OneMisplacedDeviceIsNotItsWholeNumaNode) {
  auto wanted = read_topology(shipped(file_name)).machine;
  auto& far = wanted.domains[1].devices;
  wanted.domains[0].devices.insert(wanted.domains[0].devices.end(), far.begin(), far.end());
  far = {wanted.domains[0].devices[0].children[0]};
  wanted.domains[0].devices[0].children.erase(wanted.domains[0].devices[0].children.begin());
  const auto findings = check_topology(to_nccl_xml(wanted), ndv5());
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& finding) {
    return finding.wrong == TopologyDefect::numa && finding.device == "0001:00:00.0";
  }));
  EXPECT_FALSE(std::ranges::any_of(findings, [](const Finding& finding) { return finding.device == "numa 1"; }));
}

TEST(Difference, OfTheRightFileIsNothing) { EXPECT_EQ(check_topology(shipped(file_name), ndv5()), Findings()); }

TEST(Difference, KnowsTheLineOfTheDevice) {
  const auto findings = check_topology(replaced(shipped(file_name), mask_1, mask_0), ndv5());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].line, 22);
}

// Faults of the machine that a right file hides from NCCL.
class BrokenMachine : public testing::Test {
 protected:
  BrokenMachine() { tests::copy_machine("ndv5", tree_); }
  void expect_one(TopologyDefect wrong, const std::string& device) const {
    const auto findings = check_topology(shipped(file_name), ndv5(tree_.path()));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].wrong, wrong);
    EXPECT_EQ(findings[0].device, device);
    EXPECT_EQ(findings[0].severity, Severity::error);
  }
  tests::TemporaryFolder tree_;
};

TEST_F(BrokenMachine, LinkThatLostLanes) {
  tree_.write("sys/devices/pci0105:00/0105:00:00.0/current_link_width", "8\n");
  expect_one(TopologyDefect::degraded, "0105:00:00.0");
}

TEST_F(BrokenMachine, NicThatLostSpeed) {
  tree_.write("sys/devices/pci0105:00/0105:00:00.0/current_link_speed", "16.0 GT/s PCIe\n");
  expect_one(TopologyDefect::degraded, "0105:00:00.0");
}

TEST_F(BrokenMachine, GpuThatIdlesAtLowSpeedIsHealthy) {
  tree_.write("sys/devices/pci0001:00/0001:00:00.0/current_link_speed", "2.5 GT/s PCIe\n");
  EXPECT_EQ(check_topology(shipped(file_name), ndv5(tree_.path())), Findings());
}

TEST_F(BrokenMachine, GpuThatIsGone) {
  std::filesystem::remove(tree_.path() / "sys/bus/pci/devices/0009:00:00.0");
  expect_one(TopologyDefect::missing, "0009:00:00.0");
}

TEST_F(BrokenMachine, NicNearTheOtherSocket) {
  tree_.write("sys/devices/pci0102:00/0102:00:00.0/numa_node", "1\n");
  expect_one(TopologyDefect::numa, "0102:00:00.0");
}

TEST(Difference, OfAnInferredPairIsAWarning) {
  const auto found = discover(Sysfs(tests::source_folder() / "tests/machines/ndv5"));
  ASSERT_EQ(found.switches, Switches::inferred);
  std::string text = shipped(file_name);
  const auto line = line_of("0101:00:00.0");
  text = replaced(replaced(std::move(text), line, ""), line_of("0002:00:00.0"), line + line_of("0002:00:00.0"));
  const auto findings = check_topology(text, found);
  EXPECT_FALSE(has_error(findings));
  EXPECT_TRUE(
      std::ranges::any_of(findings, [](const Finding& finding) { return finding.wrong == TopologyDefect::pairing; }));
}

}  // namespace
}  // namespace muster::topology
