// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/program/error.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

Profile read_file(const std::filesystem::path& file) { return read_profile(file); }

std::filesystem::path shipped() { return tests::source_folder() / "healthcheck" / "profiles"; }

topology::MachineSummary ndv5() {
  topology::MachineSummary machine;
  machine.cpu_count = 96;
  machine.numa_count = 2;
  machine.drive_count = 8;
  machine.memory_bytes = 1.955e12;
  machine.gpu_count = 8;
  machine.gpu_id = "10de:2330";
  machine.nic_count = 8;
  machine.nic_rate_bits_per_second = 4e11;
  return machine;
}

std::string chosen(const topology::MachineSummary& machine) {
  return choose_profile("auto", shipped(), machine).names();
}

TEST(ChooseProfile, TakesTheProfileWhoseRulesAllHoldAndNamesThem) {
  const auto choice = choose_profile("auto", shipped(), ndv5());
  EXPECT_EQ(choice.names(), "nd96isr_h100_v5");
  EXPECT_EQ(choice.doubt, "");
  EXPECT_EQ(choice.chosen_by,
            "match: gpu_id 10de:2330, gpu_count 8, nic_count 8, nic_rate 400 Gb/s, cpu_count 96, numa_count 2, "
            "drive_count 8, memory 1.96 TB; next is nd96isr_h200_v5 by 7 of 8");
}

TEST(ChooseProfile, KnowsTheKindsOfNodesByTheirGpus) {
  auto machine = ndv5();
  machine.gpu_id = "10de:2335";
  EXPECT_EQ(chosen(machine), "nd96isr_h200_v5");
  machine.gpu_id = "10de:20b2";
  machine.nic_rate_bits_per_second = 2e11;
  machine.numa_count = 4;
  machine.memory_bytes = 1.9e12;
  EXPECT_EQ(chosen(machine), "nd96amsr_a100_v4");
  machine.gpu_id = "10de:20b0";
  machine.memory_bytes = 0.95e12;
  EXPECT_EQ(chosen(machine), "nd96asr_v4");
}

TEST(ChooseProfile, ANodeThatLostAGpuIsStillANodeOfItsKind) {
  auto machine = ndv5();
  machine.gpu_count = 7;
  const auto choice = choose_profile("auto", shipped(), machine);
  EXPECT_EQ(choice.names(), "nd96isr_h100_v5");
  EXPECT_EQ(
      choice.chosen_by,
      "match: gpu_id 10de:2330, nic_count 8, nic_rate 400 Gb/s, cpu_count 96, numa_count 2, drive_count 8, memory "
      "1.96 TB; but gpu_count 7 instead of 8; next is nd96isr_h200_v5 by 6 of 8");
}

// What a node may have lost.
void lose_gpus(topology::MachineSummary& machine) {
  machine.gpu_id = "";
  machine.gpu_count = 0;
}
void lose_nics(topology::MachineSummary& machine) {
  machine.nic_count = 0;
  machine.nic_rate_bits_per_second = 0;
}
void lose_drives(topology::MachineSummary& machine) { machine.drive_count = 0; }

TEST(ChooseProfile, ANodeThatLostAllOfAKindIsStillANodeOfItsKind) {
  auto ndv4 = ndv5();
  ndv4.gpu_id = "10de:20b2";
  ndv4.nic_rate_bits_per_second = 2e11;
  ndv4.numa_count = 4;
  ndv4.memory_bytes = 1.9e12;
  ndv4.topology_file = "ndv4-topo.xml";
  const auto both = "nd96isr_h100_v5+nd96isr_h200_v5";
  const std::vector<std::pair<std::vector<void (*)(topology::MachineSummary&)>, const char*>> losses = {
      {{lose_gpus}, both},
      {{lose_nics}, "nd96isr_h100_v5"},
      {{lose_drives}, "nd96isr_h100_v5"},
      {{lose_gpus, lose_nics}, both},
      {{lose_gpus, lose_drives}, both},
      {{lose_nics, lose_drives}, "nd96isr_h100_v5"}};
  for (const auto& [lose, expected] : losses) {
    auto v5 = ndv5();
    auto v4 = ndv4;
    for (const auto each : lose) {
      each(v5);
      each(v4);
    }
    EXPECT_EQ(chosen(v5), expected);
    EXPECT_EQ(chosen(v4), "nd96amsr_a100_v4");
  }
}

TEST(ChooseProfile, OfSeveralItIsWhatAllExpect) {
  auto machine = ndv5();
  lose_gpus(machine);
  const auto choice = choose_profile("auto", shipped(), machine);
  const auto profile = choice.read(read_file);
  EXPECT_EQ(profile.name, choice.names());
  const auto expects = [&](std::string_view metric) {
    return std::ranges::find(profile.expectations, metric, &Expectation::metric) != profile.expectations.end();
  };
  EXPECT_TRUE(expects("inventory.gpu_count"));
  EXPECT_FALSE(expects("inventory.memory")) << "of which each has limits of its own";
  EXPECT_EQ(choose_profile(choice.wanted(), shipped(), {}).read(read_file).sha256, profile.sha256);
}

TEST(ChooseProfile, AGpuThatNoProfileKnowsIsHeldAgainstTheNearestOneInDoubt) {
  auto machine = ndv5();
  machine.gpu_id = "10de:2336";
  const auto choice = choose_profile("auto", shipped(), machine);
  EXPECT_EQ(choice.names(), "nd96isr_h100_v5+nd96isr_h200_v5");
  EXPECT_EQ(choice.doubt,
            "it is not a machine of nd96isr_h100_v5+nd96isr_h200_v5: gpu_id 10de:2336 instead of 10de:2330");
}

TEST(ChooseProfile, IsGenericWhenMostOfWhatItHasIsOtherwise) {
  auto machine = ndv5();
  lose_nics(machine);
  machine.cpu_count = 4;
  machine.memory_bytes = 16e9;
  machine.numa_count = 1;
  machine.drive_count = 1;
  const auto choice = choose_profile("auto", shipped(), machine);
  EXPECT_EQ(choice.names(), "generic");
  EXPECT_EQ(choice.chosen_by, "no profile matches this machine");
}

TEST(ChooseProfile, AServerWithoutGpusIsGenericHoweverLikeItIs) {
  auto machine = ndv5();
  lose_gpus(machine);
  lose_nics(machine);
  lose_drives(machine);
  EXPECT_EQ(chosen(machine), "generic");
  EXPECT_EQ(choose_profile("auto", shipped(), machine).doubt, "");
  machine.gpu_driver = "nvidia";
  EXPECT_EQ(chosen(machine), "nd96isr_h100_v5+nd96isr_h200_v5");
}

TEST(ChooseProfile, GenericIsInDoubtWhereThereIsASignOfGpus) {
  topology::MachineSummary laptop;
  laptop.cpu_count = 8;
  laptop.numa_count = 1;
  laptop.drive_count = 1;
  laptop.memory_bytes = 16e9;
  EXPECT_EQ(choose_profile("auto", shipped(), laptop).doubt, "");
  const auto doubt = [&](void (*give)(topology::MachineSummary&)) {
    auto machine = laptop;
    give(machine);
    const auto choice = choose_profile("auto", shipped(), machine);
    EXPECT_EQ(choice.names(), "generic");
    return choice.doubt;
  };
  EXPECT_NE(
      doubt([](auto& machine) { machine.gpu_driver = "nvidia"; }).find("the driver nvidia is loaded; the nearest"),
      std::string::npos);
  EXPECT_NE(
      doubt([](auto& machine) { machine.nic_rate_bits_per_second = 2e11; }).find("an InfiniBand port of 200 Gb/s"),
      std::string::npos);
  EXPECT_NE(doubt([](auto& machine) { machine.system = "p5.48xlarge"; }).find("it is a p5.48xlarge"),
            std::string::npos);
  EXPECT_EQ(doubt([](auto& machine) { machine.system = "m7i.48xlarge"; }), "");
}

TEST(ChooseProfile, PrefersTheOneWithMoreRules) {
  const tests::TemporaryFolder folder;
  folder.write("a.json", R"({"name": "a", "description": "d", "match": {"gpu_id": "10de:2330"}, "expectations": []})");
  folder.write("b.json", R"({"name": "b", "description": "d", "match": {"gpu_id": "10de:2330", "gpu_count": 8},
    "expectations": []})");
  EXPECT_EQ(choose_profile("auto", folder.path(), ndv5()).names(), "b");
}

TEST(ChooseProfile, RefusesAProfileWhoseRulesAreMisspelled) {
  const tests::TemporaryFolder folder;
  folder.write("a.json", R"({"name": "a", "description": "d", "mach": {"gpu_count": 8}, "expectations": []})");
  EXPECT_THROW(choose_profile("auto", folder.path(), ndv5()), UsageError);
}

TEST(ChooseProfile, TakesANameOrAFile) {
  EXPECT_EQ(choose_profile("generic", shipped(), {}).wanted(), shipped() / "generic.json");
  const auto file = shipped() / "nd96isr_h100_v5.json";
  EXPECT_EQ(choose_profile(file.string(), "nowhere", {}).wanted(), file);
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
