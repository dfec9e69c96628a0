// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/fingerprint.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "tests/support/files.hpp"

namespace muster::topology {
namespace {

Sysfs tree_of(const std::string& name) { return Sysfs(tests::source_folder() / "tests/machines" / name); }

TEST(Fingerprint, OfAnNdv5Node) {
  const auto found = fingerprint(tree_of("ndv5"));
  EXPECT_EQ(found.at("hostname"), "gpu-0017");
  EXPECT_EQ(found.at("boot_id"), "8c7e1d3a-52f4-4b0e-9a61-0d2f6b7c4e58");
  EXPECT_EQ(found.at("kernel"), "5.15.0-1073-azure");
  EXPECT_EQ(found.at("cmdline_sha256").size(), 64U);
  EXPECT_EQ(found.at("cpu_model"), "Intel(R) Xeon(R) Platinum 8480C");
  EXPECT_EQ(found.at("memory_bytes"), "1955238772736");
  EXPECT_EQ(found.at("distribution"), "Ubuntu 22.04.5 LTS");
  EXPECT_EQ(found.at("container"), "none");
  EXPECT_EQ(found.at("nvidia_driver"), "535.161.08");
  EXPECT_EQ(found.at("gpu_model"), "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(found.at("hca_firmware"), "28.39.2048");
  EXPECT_EQ(found.at("nvme_firmware"), "NVMDV002");
  EXPECT_EQ(found.at("physical_host_name"), "CHI000000000017");
  EXPECT_EQ(found.at("virtual_machine_id"), "00000000-1111-2222-3333-444444444444");
}

TEST(Fingerprint, WhatIsUnknownIsAbsent) {
  const auto found = fingerprint(tree_of("no_numa"));
  for (const auto* key : {"gpu_model", "nvidia_driver", "cuda_toolkit", "hca_firmware", "physical_host_name"})
    EXPECT_FALSE(found.contains(key)) << key;
}

TEST(Fingerprint, DamagedFileIsAbsentAndCostsNothingElse) {
  const tests::TemporaryFolder tree;
  tests::copy_machine("ndv5", tree);
  tree.write("proc/meminfo", "garbage");
  tree.write("proc/self/mountinfo", "garbage");
  const auto found = fingerprint(Sysfs(tree.path()));
  EXPECT_FALSE(found.contains("memory_bytes"));
  EXPECT_FALSE(found.contains("container"));
  EXPECT_EQ(found.at("hostname"), "gpu-0017");
}

TEST(Fingerprint, WhatTheKernelAlwaysWritesIsDamagedWhereItIsEmptyOrNoText) {
  for (const auto* path : {"proc/sys/kernel/hostname", "proc/sys/kernel/osrelease", "proc/sys/kernel/random/boot_id"})
    for (const auto* text : {"", "\x01garbage", "garbage\xff\n"}) {
      const tests::TemporaryFolder tree;
      tests::copy_machine("ndv5", tree);
      tree.write(path, text);
      std::set<std::string> damaged;
      fingerprint(Sysfs(tree.path()).told_to([&](const Error& error) { damaged.insert(error.path()); }));
      EXPECT_EQ(damaged, std::set<std::string>{path}) << text;
    }
}

TEST(Fingerprint, ADistributionThatAssignsNothingIsDamaged) {
  const tests::TemporaryFolder tree;
  tests::copy_machine("ndv5", tree);
  for (const auto& [text, is_damaged] : {std::pair("garbage\n", true), {"", false}, {"ID=debian\n", false}}) {
    tree.write("etc/os-release", text);
    bool is_told = false;
    const auto found = fingerprint(Sysfs(tree.path()).told_to([&](const Error&) { is_told = true; }));
    EXPECT_EQ(is_told, is_damaged) << text;
    EXPECT_FALSE(found.contains("distribution"));
  }
}

TEST(Fingerprint, DifferentFirmwareIsListed) {
  const tests::TemporaryFolder tree;
  tests::copy_machine("ndv5", tree);
  tree.write("sys/class/infiniband/mlx5_ib3/fw_ver", "28.38.1002\n");
  EXPECT_EQ(fingerprint(Sysfs(tree.path())).at("hca_firmware"), "28.38.1002, 28.39.2048");
}

TEST(Fingerprint, ToolkitIsNamedByItsFolder) {
  const tests::TemporaryFolder tree;
  tree.write("proc/version", "");
  tree.write("usr/local/cuda-12.4/version.json", "{}");
  std::filesystem::create_symlink("cuda-12.4", tree.path() / "usr/local/cuda");
  EXPECT_EQ(fingerprint(Sysfs(tree.path())).at("cuda_toolkit"), "12.4");
}

TEST(Container, IsToldByWhatItLeavesBehind) {
  EXPECT_EQ(container(tree_of("ndv5")), "none");
  EXPECT_EQ(container(tree_of("container_2_of_96")), "kubernetes");
  const tests::TemporaryFolder tree;
  tree.write("proc/self/cgroup", "4:memory:/kubepods/burstable/pod1/2\n");
  EXPECT_EQ(container(Sysfs(tree.path())), "kubernetes");
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("proc/self/mountinfo", "9 1 0:3 / / rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A\n");
  EXPECT_EQ(container(Sysfs(tree.path())), "docker");
  tree.write("run/.containerenv", "");
  EXPECT_EQ(container(Sysfs(tree.path())), "podman");
  tree.write(".dockerenv", "");
  EXPECT_EQ(container(Sysfs(tree.path())), "docker");
}

TEST(Container, HostThatRunsContainersIsNone) {
  const tests::TemporaryFolder tree;
  tree.write(
      "proc/self/mountinfo",
      "9 1 8:1 / / rw - ext4 disk rw\n"
      "10 9 0:3 / /var/lib/docker/overlay2/A/merged rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A\n"
      "12 9 8:1 /var/lib/kubelet/pods/1/volumes/y /var/lib/kubelet/pods/2/y rw - ext4 disk rw\n"
      "11 9 0:4 / /var/lib/kubelet/pods/1/volumes/x rw - tmpfs tmpfs rw\n");
  EXPECT_EQ(container(Sysfs(tree.path())), "none");
}

}  // namespace
}  // namespace muster::topology
