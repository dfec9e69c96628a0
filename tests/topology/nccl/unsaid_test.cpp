// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tests/topology/roce.hpp"
#include "topology/nccl/difference.hpp"

namespace muster::topology {
namespace {

using tests::ndv5;
using tests::replaced;
using tests::shipped;

std::string of_errors(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings)
    if (finding.severity == Severity::error)
      text += std::string(to_text(finding.wrong)) + " " + finding.device + ": " + finding.what + "\n";
  return text;
}

std::string without(const std::string& attribute) {
  return std::regex_replace(shipped("ndv5-topo.xml"), std::regex(" " + attribute + R"(="[^"]*")"), "");
}

TEST(Unsaid, IsNoDifference) {
  for (const auto* attribute : {"class", "affinity", "link_speed", "link_width", "(?:arch|vendor|familyid|modelid)"})
    EXPECT_EQ(of_errors(check_topology(without(attribute), ndv5())), "") << attribute;
  EXPECT_EQ(check_topology(without("affinity"), ndv5()), Findings());
}

TEST(Unsaid, NumberOfTheNodeIsNoDifference) {
  const auto text = std::regex_replace(shipped("ndv5-topo.xml"), std::regex("numaid=\"1\""), "numaid=\"-1\"");
  EXPECT_EQ(of_errors(check_topology(text, ndv5())), "");
}

TEST(Unsaid, SwitchesAreOneWarningWhereTheMachineHidesThem) {
  std::string text = "<system version=\"1\">\n";
  for (const auto* numbers : {"1238", "9abc"}) {
    text += std::string("<cpu numaid=\"") + (*numbers == '1' ? "0" : "1") + "\">\n";
    for (const auto* number = numbers; *number != '\0'; ++number)
      text += std::string("<pci busid=\"000") + *number + ":00:00.0\"/>\n";
    for (int nic = *numbers == '1' ? 1 : 5; nic <= (*numbers == '1' ? 4 : 8); ++nic)
      text += "<pci busid=\"010" + std::to_string(nic) + ":00:00.0\"/>\n";
    text += "</cpu>\n";
  }
  const auto findings = check_topology(text + "</system>\n", ndv5());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].wrong, TopologyDefect::pairing);
  EXPECT_EQ(findings[0].severity, Severity::warning);
}

TEST(Unsaid, ClassOfADeviceThatIsNotHereEndsNccl) {
  const auto findings =
      check_topology(replaced(without("class"), "</cpu>", "<pci busid=\"0000:00:77.0\"/></cpu>"), ndv5());
  EXPECT_EQ(of_errors(findings).find("missing 0000:00:77.0: this machine has no device"), 0U) << of_errors(findings);
}

TEST(Roce, FileThatIsRightIsClean) {
  const tests::RoceTree roce;
  EXPECT_EQ(of_errors(check_topology(tests::roce_file(), roce.found())), "");
}

TEST(Roce, NicsThatAreExchangedAreNamed) {
  const tests::RoceTree roce;
  auto text = replaced(replaced(tests::roce_file(), "0101:00", "xxxx:00"), "0102:00", "0101:00");
  const auto findings = check_topology(replaced(text, "xxxx:00", "0102:00"), roce.found());
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].wrong, TopologyDefect::pairing);
  EXPECT_EQ(findings[0].device, "0102:00:00.0");
  EXPECT_EQ(findings[1].device, "0101:00:00.0");
}

TEST(Roce, NicOnTheOtherSocketIsNamed) {
  const tests::RoceTree roce;
  auto text = replaced(replaced(tests::roce_file(), "0101:00", "xxxx:00"), "0105:00", "0101:00");
  const auto errors = of_errors(check_topology(replaced(text, "xxxx:00", "0105:00"), roce.found()));
  EXPECT_NE(errors.find("numa 0101:00:00.0"), std::string::npos) << errors;
  EXPECT_NE(errors.find("numa 0105:00:00.0"), std::string::npos) << errors;
}

TEST(Roce, NicThatTheFileLacksIsAnError) {
  const tests::RoceTree roce;
  const auto text = std::regex_replace(tests::roce_file(), std::regex(" *<pci busid=\"0105:[^\n]*\n"), "");
  EXPECT_EQ(of_errors(check_topology(text, roce.found())).find("extra 0105:00:00.0: this machine has the RDMA NIC"),
            0U);
}

TEST(Roce, NicThatIsGoneIsAnError) {
  tests::RoceTree roce;
  std::filesystem::remove(roce.tree().path() / "sys/bus/pci/devices/0103:00:00.0");
  const auto errors = of_errors(check_topology(tests::roce_file(), roce.found()));
  EXPECT_NE(errors.find("missing 0103:00:00.0"), std::string::npos) << errors;
}

TEST(Roce, ClassOfInfiniBandIsAnotherDevice) {
  const tests::RoceTree roce;
  EXPECT_NE(of_errors(check_topology(shipped("ndv5-topo.xml"), roce.found())).find("device_class 0101:00:00.0"),
            std::string::npos);
}

}  // namespace
}  // namespace muster::topology
