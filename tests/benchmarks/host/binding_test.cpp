// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/binding.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include "benchmarks/error.hpp"
#include "tests/support/capabilities.hpp"

namespace muster::benchmarks::host {
namespace {

using Cpus = std::vector<unsigned>;

Topology synthetic(const std::string& description) {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) throw Error("hwloc cannot start");
  Topology topology(made);
  if (hwloc_topology_set_synthetic(made, description.c_str()) != 0 || hwloc_topology_load(made) != 0)
    throw Error("hwloc does not understand " + description);
  return topology;
}

CpuSet set_of(const std::string& list) {
  CpuSet set(hwloc_bitmap_alloc());
  hwloc_bitmap_list_sscanf(set.get(), list.c_str());
  return set;
}

constexpr const char* two_nodes_of_two_cores_with_two_threads = "numa:2 l3:1(size=33554432) core:2 pu:2";

TEST(LoadTopology, IsOfThisMachineWhateverTheEnvironmentSays) {
  const auto cpus_of = [](const Topology& topology) { return hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PU); };
  const int own = cpus_of(load_topology());
  setenv("HWLOC_SYNTHETIC", "pack:2 numa:2 core:8 pu:2", 1);
  EXPECT_EQ(cpus_of(load_topology()), own);
  EXPECT_EQ(std::getenv("HWLOC_SYNTHETIC"), nullptr);
}

TEST(Binding, TakesOneCpuOfEachCoreByNode) {
  const auto topology = synthetic(two_nodes_of_two_cores_with_two_threads);
  const auto nodes = numa_nodes(topology.get(), set_of("0-7").get());
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].number, 0u);
  EXPECT_EQ(nodes[0].cpus, (Cpus{0, 2}));
  EXPECT_EQ(nodes[1].number, 1u);
  EXPECT_EQ(nodes[1].cpus, (Cpus{4, 6}));
}

TEST(Binding, TakesOnlyAllowedCpus) {
  const auto topology = synthetic(two_nodes_of_two_cores_with_two_threads);
  const auto nodes = numa_nodes(topology.get(), set_of("3,6-7").get());
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].cpus, (Cpus{3}));
  EXPECT_EQ(nodes[1].cpus, (Cpus{6}));
}

TEST(Binding, LeavesOutNodesWithoutAnAllowedCore) {
  const auto topology = synthetic(two_nodes_of_two_cores_with_two_threads);
  const auto nodes = numa_nodes(topology.get(), set_of("4-5").get());
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].number, 1u);
  EXPECT_EQ(nodes[0].cpus, (Cpus{4}));
}

TEST(Binding, CountsACoreOnceWhenTwoNodesAreNearIt) {
  const auto topology = synthetic("[numa] [numa] core:4 pu:1");
  const auto nodes = numa_nodes(topology.get(), set_of("0-3").get());
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].cpus, (Cpus{0, 1, 2, 3}));
}

TEST(Binding, FindsOneNodeOnAMachineWithoutNuma) {
  const auto nodes = numa_nodes(synthetic("core:2 pu:1").get(), set_of("0-1").get());
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].cpus, (Cpus{0, 1}));
}

TEST(Binding, TakesEveryCpuWhereCoresAreUnknown) {
  const auto nodes = numa_nodes(synthetic("pu:3").get(), set_of("0-2").get());
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].cpus, (Cpus{0, 1, 2}));
}

TEST(Binding, KnowsWhetherACoreIsMissing) {
  const auto topology = synthetic(two_nodes_of_two_cores_with_two_threads);
  EXPECT_TRUE(allows_every_core(topology.get(), set_of("0-7").get()));
  EXPECT_TRUE(allows_every_core(topology.get(), set_of("0,2,4,6").get()));
  EXPECT_FALSE(allows_every_core(topology.get(), set_of("0-5").get()));
}

TEST(Binding, SumsTheLastLevelCachesOfTheCpus) {
  const auto topology = synthetic(two_nodes_of_two_cores_with_two_threads);
  EXPECT_EQ(last_level_cache_bytes(topology.get(), Cpus{0, 2}), 33554432);
  EXPECT_EQ(last_level_cache_bytes(topology.get(), Cpus{0, 2, 4}), 67108864);
}

TEST(Binding, FallsBackToTheSecondLevelAndThenToAGuess) {
  EXPECT_EQ(last_level_cache_bytes(synthetic("l2:2(size=1048576) core:1 pu:1").get(), Cpus{0, 1}), 2097152);
  EXPECT_EQ(last_level_cache_bytes(synthetic("core:2 pu:1").get(), Cpus{0, 1}), 67108864);
}

TEST(Binding, BindsTheCallingThreadToTheCpu) {
  const auto topology = load_topology();
  const auto nodes = numa_nodes(topology.get(), allowed_cpus(topology.get()).get());
  ASSERT_FALSE(nodes.empty());
  const auto cpu = nodes.back().cpus.back();
  std::thread([&] {
    bind_thread(topology.get(), cpu);
    EXPECT_EQ(sched_getcpu(), static_cast<int>(cpu));
    const auto allowed = allowed_cpus(topology.get());
    EXPECT_EQ(hwloc_bitmap_weight(allowed.get()), 1);
    EXPECT_EQ(hwloc_bitmap_first(allowed.get()), static_cast<int>(cpu));
  }).join();
}

TEST(Binding, NamesTheCpuThatDoesNotExist) {
  const auto topology = load_topology();
  try {
    bind_thread(topology.get(), 100000);
    FAIL() << "bound to a CPU that no machine has";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("CPU 100000"), std::string::npos) << error.what();
  }
}

TEST(RunWhenIdle, IsOfTheseThreadsAloneUntilTheyRunAsOthers) {
  std::jthread([] {
    const std::array own = {gettid()};
    EXPECT_TRUE(run_when_idle(own));
    EXPECT_EQ(sched_getscheduler(own.front()), SCHED_IDLE);
    EXPECT_NE(sched_getscheduler(getpid()), SCHED_IDLE);
    EXPECT_EQ(run_as_others(own), may_take_precedence());
    EXPECT_EQ(sched_getscheduler(own.front()) == SCHED_OTHER, may_take_precedence());
  }).join();
}

TEST(RunWhenIdle, TakesACapabilityToEnd) {
  std::jthread([] {
    ASSERT_TRUE(tests::drop_capabilities());  // of this thread
    EXPECT_FALSE(may_take_precedence());
  }).join();
}

TEST(RunWhenIdle, TheCapabilityOfAUserNamespaceIsNotEnough) {
  const pid_t child = fork();
  if (child == 0) _exit(unshare(CLONE_NEWUSER) != 0 ? 2 : may_take_precedence() ? 1 : 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "this system makes no user namespaces";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Sides, AreTheDevicesOwnNodeAndAnother) {
  const std::vector<NumaNode> two = {{.number = 0, .cpus = {0, 1}}, {.number = 1, .cpus = {2, 3}}};
  EXPECT_EQ(sides(two, 1).near, 2U);
  EXPECT_EQ(sides(two, 1).far, 0U);
  EXPECT_EQ(sides(two, 0).far, 2U);
}

TEST(Sides, AreNotGuessed) {
  const std::vector<NumaNode> two = {{.number = 0, .cpus = {0, 1}}, {.number = 1, .cpus = {2, 3}}};
  EXPECT_EQ(sides(two, std::nullopt).near, std::nullopt);
  EXPECT_EQ(sides(two, std::nullopt).far, std::nullopt);
  EXPECT_EQ(sides(two, 7).near, std::nullopt);
  EXPECT_EQ(sides(std::span(two).first(1), std::nullopt).near, 0U);
  EXPECT_EQ(sides(std::span(two).first(1), 1).far, std::nullopt);
}

}  // namespace
}  // namespace muster::benchmarks::host
