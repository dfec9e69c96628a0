// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/fault.hpp"

#include <gtest/gtest.h>

#include "healthcheck/program/error.hpp"
#include "tests/support/files.hpp"
#include "topology/nccl/finding.hpp"

namespace muster::healthcheck {
namespace {

std::string refusal_of_faults(const std::string& text) {
  const tests::TemporaryFolder folder;
  folder.write("faults.json", text);
  try {
    Faults(folder.path() / "faults.json");
  } catch (const UsageError& error) {
    return std::string(error.what()).substr(folder.path().string().size() + 1);
  }
  return "accepted";
}

TEST(Faults, TheShippedTableIsFoundByCode) {
  const Faults faults(tests::source_folder() / "healthcheck" / "faults.json");
  const Fault* fault = faults.find("ib_port_down");
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->azure_code, "NHC2004");
  EXPECT_EQ(fault->azure_category, "IBPortDown");
  EXPECT_EQ(faults.find("no_such_fault"), nullptr);
}

TEST(Faults, EveryFindingOfATopologyFileHasOne) {
  const Faults faults(tests::source_folder() / "healthcheck" / "faults.json");
  for (const auto wrong : topology::all_wrongs())
    EXPECT_NE(faults.find("topology_" + std::string(topology::to_text(wrong))), nullptr) << topology::to_text(wrong);
}

TEST(Faults, OnlyAHangInADeviceSendsToTheDevice) {
  const Faults faults(tests::source_folder() / "healthcheck" / "faults.json");
  for (const Fault& fault : faults.all())
    EXPECT_EQ(fault.action_where_waiting.find("dmesg"), std::string::npos) << fault.code;
  EXPECT_FALSE(faults.find("check_timed_out")->action_where_waiting.empty());
}

TEST(Faults, AnAzureCodeNeverStandsWithoutItsCategory) {
  const Faults faults(tests::source_folder() / "healthcheck" / "faults.json");
  for (const Fault& fault : faults.all())
    EXPECT_EQ(fault.azure_code.empty(), fault.azure_category.empty()) << fault.code;
}

TEST(Faults, AFaultyTableIsRefusedWithFileLineAndField) {
  const std::string good =
      "[\n  {\"code\": \"a\", \"meaning\": \"m\", \"evidence\": \"e\",\n   \"action\": \"d\", \"source\": \"s\"}";
  EXPECT_EQ(refusal_of_faults(good + "\n]\n"), "accepted");
  EXPECT_EQ(refusal_of_faults("[\n  {\"code\": \"a\",\n   \"meaning\": \"\"}\n]\n"),
            "faults.json:3: /0/meaning: must not be empty");
  EXPECT_EQ(refusal_of_faults("[\n  {\"code\": \"a\"}\n]\n"), "faults.json:2: /0: the field 'meaning' is missing");
  EXPECT_EQ(refusal_of_faults(good + "," + good.substr(1) + "\n]\n"),
            "faults.json:4: /1/code: this code is there twice; remove one");
  EXPECT_EQ(refusal_of_faults("{}"), "faults.json:1: /: must be an array, not object");
}

}  // namespace
}  // namespace muster::healthcheck
