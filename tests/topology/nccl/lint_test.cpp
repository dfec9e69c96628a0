// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/lint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/topology/machines.hpp"
#include "topology/nccl/nccl_parser.hpp"

namespace muster::topology {
namespace {

using tests::replaced;
using tests::shipped;

const std::string low = "00000000,0000ffff,ffffffff";
const std::string high = "ffffffff,ffff0000,00000000";

// ndv5-topo.xml as it circulated until 2025-01-27.
std::string old_file() {
  return replaced(replaced(replaced(shipped("ndv5-topo.xml"), low, "x"), high, low), "\"x\"", '"' + high + '"');
}

std::vector<std::string> codes(const Findings& findings) {
  std::vector<std::string> codes;
  for (const Finding& finding : findings) codes.emplace_back(to_text(finding.wrong));
  return codes;
}

const std::vector<std::string> swapped{"masks_swapped"};

TEST(OldNdv5File, IsCalledByItsFault) {
  const auto findings = lint(old_file());
  EXPECT_EQ(codes(findings), swapped);
  EXPECT_EQ(findings[0].line, 4);
  EXPECT_NE(findings[0].what.find("from before 2025-01-27; NUMA 0 and 1 are swapped"), std::string::npos);
}

TEST(OldNdv5File, IsKnownWithoutCommentsAndIndentation) {
  std::string text = old_file();
  text.erase(0, text.find("<system"));
  std::string bare;
  for (const char character : text)
    if (character != '\n' && (character != ' ' || !bare.ends_with('>'))) bare += character;
  EXPECT_EQ(codes(lint(bare)), swapped);
}

TEST(OldNdv5File, IsKnownInAnotherOrderAndWithAName) {
  std::string text = replaced(old_file(), "<system ", R"(<system name="our own" )");
  const auto first = text.find("  <cpu");
  const auto second = text.find("  <cpu", first + 1);
  const auto end = text.find("</system>");
  text =
      text.substr(0, first) + text.substr(second, end - second) + text.substr(first, second - first) + text.substr(end);
  const auto found = codes(lint(text));
  EXPECT_EQ(std::ranges::count(found, "masks_swapped"), 1);
}

TEST(OldNdv5File, IsNotOneWithOneMaskOfTwo) {
  for (const auto& text :
       {replaced(shipped("ndv5-topo.xml"), low, high), replaced(shipped("ndv5-topo.xml"), high, low)})
    EXPECT_EQ(codes(lint(text)), std::vector<std::string>{"masks"});
}

TEST(OldNdv5File, IsNotAnotherMachineWithSuchMasks) {
  std::string text = old_file();
  for (int gpu = 0; gpu < 2; ++gpu)
    text = replaced(std::move(text), gpu == 0 ? "0001:00" : "0009:00", gpu == 0 ? "0021:00" : "0029:00");
  EXPECT_FALSE(has_error(lint(text)));
}

TEST(Lint, OfOurOwnFilesIsClean) {
  EXPECT_EQ(lint(shipped("ndv5-topo.xml")), Findings());
  EXPECT_EQ(lint(shipped("ndv4-topo.xml")), Findings());
}

TEST(Lint, MasksThatAreAllTheSameAreAKnownFault) {
  std::string text = shipped("ndv4-topo.xml");
  for (const auto* mask : {"00000000,00000000,00ffffff", "00000000,0000ffff,ff000000", "000000ff,ffff0000,00000000",
                           "ffffff00,00000000,00000000"})
    text = replaced(std::move(text), mask, "0000ffff,0000ffff");
  const auto findings = lint(text);
  EXPECT_EQ(codes(findings), std::vector<std::string>{"masks"});
  EXPECT_NE(findings[0].what.find("before 2025-01-29"), std::string::npos);
}

struct Row {
  std::string name;
  std::string from;
  std::string to;
  Severity severity;
  std::string code;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class LintOfNdv5 : public testing::TestWithParam<Row> {};

TEST_P(LintOfNdv5, FindsOneFault) {
  auto findings = lint(replaced(shipped("ndv5-topo.xml"), GetParam().from, GetParam().to));
  EXPECT_EQ(has_error(findings), GetParam().severity == Severity::error);
  std::erase_if(findings, [](const Finding& finding) { return finding.severity != GetParam().severity; });
  EXPECT_EQ(codes(findings), std::vector<std::string>{GetParam().code});
}

INSTANTIATE_TEST_SUITE_P(
    Rows, LintOfNdv5,
    testing::Values(
        Row{"gap", low, "00000000,00007fff,ffffffff", Severity::warning, "masks"},
        Row{"empty_mask", low, "0", Severity::warning, "masks"},
        Row{"attribute_twice", " class=\"0x030200\"", " class=\"0x030200\" class=\"0x020700\"", Severity::error,
            "ignored"},
        Row{"slower_gpu", R"(class="0x030200" link_speed="32.0)", R"(class="0x030200" link_speed="16.0)",
            Severity::warning, "link"},
        Row{"narrower_nic", R"(class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16")",
            R"(class="0x020700" link_speed="32.0 GT/s PCIe" link_width="8")", Severity::warning, "link"},
        Row{"empty_speed", "PCIe\" link_width=\"16\"/>", "\" link_width=\"16\"/>", Severity::error, "link"},
        Row{"no_speed", "32.0 GT/s PCIe\" link_width=\"16\"/>", "\" link_width=\"16\"/>", Severity::error, "link"},
        Row{"no_class", " class=\"0x030200\"", "", Severity::warning, "device_class"},
        Row{"class_of_a_sound_card", "0x020700", "0x040300", Severity::error, "device_class"},
        Row{"gpu_inside_a_nic", R"(class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16"/>)",
            R"(class="0x020700"><gpu dev="0"/></pci>)", Severity::error, "device_class"},
        Row{"nvlink_to_itself", R"(class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"/>)",
            R"(class="0x030200"><gpu dev="0"><nvlink target="0001:00:00.0" count="18" tclass="0x030200"/></gpu></pci>)",
            Severity::warning, "nvlink"}),
    [](const auto& row) { return row.param.name; });

std::string of_size(int devices) {
  std::string text = "<system version=\"1\">\n<cpu numaid=\"0\">\n";
  for (int device = 0; device < devices; ++device) text += "<nic/>\n";
  return text + "</cpu>\n</system>\n";
}

TEST(NcclParser, CountsElements) {
  EXPECT_EQ(nccl_reads(of_size(253)), Findings());
  EXPECT_EQ(codes(nccl_reads(of_size(254))), std::vector<std::string>{"refused"});
}

TEST(NcclParser, CountsAttributes) {
  const auto text = [](int count) {
    std::string attributes;
    for (int index = 1; index < count; ++index) attributes += " a" + std::to_string(index) + "='1'";
    return "<system version=\"1\"" + attributes + "/>";
  };
  EXPECT_EQ(nccl_reads(text(16)), Findings());
  EXPECT_EQ(codes(nccl_reads(text(17))), std::vector<std::string>{"ignored"});
}

TEST(NcclParser, NamesLineAndReason) {
  const auto findings = nccl_reads("<system version=\"1\">\n  <cpu numaid=\"0\"\taffinity=\"1\"/>\n</system>\n");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].line, 2);
  EXPECT_EQ(findings[0].what, "a tab is where '>' or one space must be, in 'cpu'");
}

TEST(NcclParser, TakesSingleQuotesCommentsAndCarriageReturns) {
  EXPECT_EQ(nccl_reads("<!-- a > b -->\r\n<system version='1'>\r\n<!---->\r\n</system>\r\n"), Findings());
}

TEST(NcclParser, TakesSeveralSpaces) {
  EXPECT_EQ(nccl_reads("<system  version='1'><cpu numaid='0'   affinity='1'  /></system>"), Findings());
}

TEST(NcclParser, SkipsWhatItDoesNotKnowWithAllItContains) {
  EXPECT_EQ(nccl_reads("<system version=\"1\"><rack><a></b><c/></rack></system>"), Findings());
}

}  // namespace
}  // namespace muster::topology
