// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "healthcheck/error.hpp"
#include "healthcheck/profile.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

std::filesystem::path shipped() { return tests::source_folder() / "healthcheck" / "profiles"; }

topology::Traits ndv5() {
  topology::Traits traits;
  traits.cpu_count = 96;
  traits.gpu_count = 8;
  traits.gpu_id = "10de:2330";
  traits.nic_count = 8;
  traits.nic_rate_bits_per_second = 4e11;
  return traits;
}

std::string chosen(const topology::Traits& traits) {
  return choose_profile("auto", shipped(), traits).file.stem().string();
}

TEST(ChooseProfile, TakesTheProfileWhoseRulesAllHoldAndNamesThem) {
  const auto choice = choose_profile("auto", shipped(), ndv5());
  EXPECT_EQ(choice.file, shipped() / "nd96isr_h100_v5.json");
  EXPECT_EQ(choice.chosen_by, "match: gpu_id 10de:2330, gpu_count 8, nic_count 8, nic_rate 400 Gb/s, cpu_count 96");
}

TEST(ChooseProfile, KnowsTheKindsOfNodesByTheirGpus) {
  auto traits = ndv5();
  traits.gpu_id = "10de:2335";
  EXPECT_EQ(chosen(traits), "nd96isr_h200_v5");
  traits.gpu_id = "10de:20b2";
  traits.nic_rate_bits_per_second = 2e11;
  EXPECT_EQ(chosen(traits), "nd96amsr_a100_v4");
  traits.gpu_id = "10de:20b0";
  EXPECT_EQ(chosen(traits), "nd96asr_v4");
}

TEST(ChooseProfile, ANodeThatLostAGpuIsStillANodeOfItsKind) {
  auto traits = ndv5();
  traits.gpu_count = 7;
  const auto choice = choose_profile("auto", shipped(), traits);
  EXPECT_EQ(choice.file, shipped() / "nd96isr_h100_v5.json");
  EXPECT_EQ(choice.chosen_by,
            "match: gpu_id 10de:2330, nic_count 8, nic_rate 400 Gb/s, cpu_count 96; but gpu_count 7 instead of 8");
}

TEST(ChooseProfile, IsGenericWhenTheGpuIsAnother) {
  auto traits = ndv5();
  traits.gpu_id = "10de:2336";
  EXPECT_EQ(chosen(traits), "generic");
  traits.gpu_id = "";
  EXPECT_EQ(chosen(traits), "generic");
}

TEST(ChooseProfile, IsGenericWhenHalfOfTheRulesOrMoreDoNotHold) {
  auto traits = ndv5();
  traits.nic_count = 0;
  traits.nic_rate_bits_per_second = 0;
  EXPECT_EQ(chosen(traits), "nd96isr_h100_v5") << "three of five hold";
  traits.cpu_count = 4;
  EXPECT_EQ(chosen(traits), "generic") << "two of five hold";
  EXPECT_EQ(choose_profile("auto", shipped(), {}).chosen_by, "no profile matches this machine");
}

TEST(ChooseProfile, PrefersTheOneWithMoreRules) {
  const tests::TemporaryFolder folder;
  folder.write("a.json", R"({"name": "a", "description": "d", "match": {"gpu_id": "10de:2330"}, "expectations": []})");
  folder.write("b.json", R"({"name": "b", "description": "d", "match": {"gpu_id": "10de:2330", "gpu_count": 8},
    "expectations": []})");
  EXPECT_EQ(choose_profile("auto", folder.path(), ndv5()).file.stem(), "b");
}

TEST(ChooseProfile, RefusesAProfileWhoseRulesAreMisspelled) {
  const tests::TemporaryFolder folder;
  folder.write("a.json", R"({"name": "a", "description": "d", "mach": {"gpu_count": 8}, "expectations": []})");
  EXPECT_THROW(choose_profile("auto", folder.path(), ndv5()), UsageError);
}

TEST(ChooseProfile, TakesANameOrAFile) {
  EXPECT_EQ(choose_profile("generic", shipped(), {}).file, shipped() / "generic.json");
  const auto file = shipped() / "nd96isr_h100_v5.json";
  EXPECT_EQ(choose_profile(file.string(), "nowhere", {}).file, file);
}

TEST(ChooseProfile, RefusesAnUnknownNameWithTheNearestOne) {
  try {
    choose_profile("genric", shipped(), {});
    FAIL() << "was accepted";
  } catch (const UsageError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("there is no profile 'genric'. Did you mean 'generic'?"))
        << error.what();
  }
  EXPECT_THROW(choose_profile("nowhere/p.json", shipped(), {}), UsageError);
}

}  // namespace
}  // namespace muster::healthcheck
