// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/plan.hpp"

#include <gtest/gtest.h>

#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

using results::Tier;

Description check(std::string name, double seconds = 1, Scope scope = Scope::once) {
  Description description;
  description.name = std::move(name);
  description.typical_seconds = seconds;
  description.scope = scope;
  return description;
}

std::vector<std::string> names(const std::vector<Task>& tasks) {
  std::vector<std::string> all;
  for (const Task& task : tasks) all.push_back(task.check.name);
  return all;
}

TEST(Plan, StartsCheapChecksFirstAndKeepsTheOrderOfEquals) {
  EXPECT_EQ(names(plan({check("slow", 9), check("b", 1), check("a", 1)}, {}, {})),
            (std::vector<std::string>{"b", "a", "slow"}));
}

TEST(Plan, LeavesOutWhatIsNotSelectedAndWhatALaterTierRuns) {
  auto soak = check("soak");
  soak.tier = Tier::full;
  const results::Selection selection{.tier = Tier::quick, .only = {}, .skip = {"b"}};
  EXPECT_EQ(names(plan({check("a"), check("b"), soak}, selection, {})), (std::vector<std::string>{"a"}));
  EXPECT_EQ(names(plan({check("a"), check("b"), soak}, {.tier = Tier::full, .only = {"soak"}, .skip = {}}, {})),
            (std::vector<std::string>{"soak"}));
}

TEST(Plan, MakesOneTaskForEachComponent) {
  topology::MachineSummary machine;
  machine.gpu_count = 2;
  const auto tasks = plan({check("gpu_memory", 1, Scope::per_gpu)}, {}, machine);
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].component, (results::Labels{{"gpu", "0"}}));
  EXPECT_EQ(tasks[1].component, (results::Labels{{"gpu", "1"}}));
}

TEST(Plan, KeepsATaskWhoseComponentsAreAbsentSoThatTheReportNamesIt) {
  const auto tasks = plan({check("gpu_memory", 1, Scope::per_gpu)}, {}, {});
  ASSERT_EQ(tasks.size(), 1U);
  EXPECT_EQ(tasks[0].component, results::Labels{});
}

TEST(Validate, SuggestsTheNearestName) {
  const std::vector<std::string> known{"host_memory", "limits"};
  EXPECT_NO_THROW(validate({.tier = Tier::quick, .only = {"limits"}, .skip = {"host_memory"}}, known));
  for (const auto& selection : {results::Selection{.tier = Tier::quick, .only = {"host_memroy"}, .skip = {}},
                                results::Selection{.tier = Tier::quick, .only = {}, .skip = {"host_memroy"}}}) {
    try {
      validate(selection, known);
      FAIL() << "an unknown name was accepted";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("'host_memroy'"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("'host_memory'?"), std::string::npos) << error.what();
    }
  }
}

TEST(SideBySide, ChecksThatShareAResourceDoNotOverlap) {
  auto cpu = check("cpu");
  cpu.resources = {Resource::cpu, Resource::memory};
  auto memory = check("memory");
  memory.resources = {Resource::memory};
  auto disk = check("disk");
  disk.resources = {Resource::disk};
  EXPECT_FALSE(side_by_side(cpu, memory));
  EXPECT_FALSE(side_by_side(memory, cpu));
  EXPECT_TRUE(side_by_side(memory, disk));
  EXPECT_TRUE(side_by_side(check("reads"), cpu));
  EXPECT_TRUE(side_by_side(check("reads"), check("reads_too")));
}

TEST(SideBySide, RunsOfACheckHaveAGpuEachAndNothingElse) {
  auto memory = check("gpu_memory", 1, Scope::per_gpu);
  memory.resources = {Resource::gpu};
  auto state = check("gpu_state", 1, Scope::per_gpu);
  state.resources = {Resource::gpu};
  auto copy = check("gpu_copy", 1, Scope::per_gpu);
  copy.resources = {Resource::gpu, Resource::memory};
  EXPECT_TRUE(side_by_side(memory, memory));
  EXPECT_FALSE(side_by_side(memory, state));
  EXPECT_FALSE(side_by_side(copy, copy));
}

}  // namespace
}  // namespace muster::healthcheck
