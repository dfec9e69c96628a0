// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/applicable.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

Description check(std::string name, Scope scope = Scope::once) {
  Description description;
  description.name = std::move(name);
  description.scope = scope;
  return description;
}

TEST(CannotRun, NamesWhatThisMachineLacks) {
  const topology::MachineSummary nothing;
  EXPECT_EQ(cannot_run(check("a"), nothing), "");
  EXPECT_EQ(cannot_run(check("a", Scope::per_gpu), nothing), "no NVIDIA GPU");
  EXPECT_EQ(cannot_run(check("a", Scope::all_gpus), nothing), "no NVIDIA GPU");
  EXPECT_EQ(cannot_run(check("a", Scope::per_nic), nothing), "no InfiniBand adapter");
  EXPECT_EQ(cannot_run(check("a", Scope::per_drive), nothing), "no NVMe drive");
  auto once = check("a");
  once.resources = {Resource::gpu};
  EXPECT_EQ(cannot_run(once, nothing), "no NVIDIA GPU");
  topology::MachineSummary machine;
  machine.gpu_count = 1;
  EXPECT_EQ(cannot_run(once, machine), "");
  auto job = check("a", Scope::ranks);
  EXPECT_EQ(cannot_run(job, machine), "");
  job.resources = {Resource::gpu};
  EXPECT_EQ(cannot_run(job, machine), "one GPU has none to exchange data with");
  machine.gpu_count = 2;
  EXPECT_EQ(cannot_run(job, machine), "");
}

TEST(NothingToMeasure, SaysWhatThisMachineHasNoneOf) {
  const tests::TemporaryFolder tree;
  tree.write("proc/version", "Linux\n");
  const topology::Sysfs sysfs(tree.path());
  auto links = check("links");
  EXPECT_EQ(nothing_to_measure(links, sysfs, {}), "");
  for (const auto& [part, words] : {std::pair{Part::nvidia_gpu, "no NVIDIA GPU"},
                                    {Part::rdma_device, "no RDMA device"},
                                    {Part::several_drives, "one drive has no siblings"},
                                    {Part::topology_file, "NCCL is told no topology file here"}}) {
    links.part = part;
    EXPECT_EQ(nothing_to_measure(links, sysfs, {}), words);
  }
  const topology::Sysfs ndv5(tests::source_folder() / "tests/machines/ndv5");
  for (const auto part : {Part::nvidia_gpu, Part::rdma_device, Part::topology_file}) {
    links.part = part;
    EXPECT_EQ(nothing_to_measure(links, ndv5, topology::machine_summary(ndv5)), "");
  }
}

}  // namespace
}  // namespace muster::healthcheck
