// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/nvidia.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace muster::topology {
namespace {

TEST(NvidiaDriver, VersionOfTheClosedAndTheOpenModule) {
  EXPECT_EQ(nvidia_driver_version("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Tue Mar  5 22:42:15 UTC "
                                  "2024\nGCC version:  gcc version 11.4.0\n"),
            "535.161.08");
  EXPECT_EQ(
      nvidia_driver_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.15  Release Build\n"),
      "550.54.15");
}

TEST(NvidiaDriver, OtherTextHasNoVersion) {
  EXPECT_EQ(nvidia_driver_version(""), std::nullopt);
  EXPECT_EQ(nvidia_driver_version("GCC version:  gcc version 11.4.0\n"), std::nullopt);
  EXPECT_EQ(nvidia_driver_version("NVRM version: unknown\n"), std::nullopt);
}

TEST(NvidiaInformation, IsReadByKey) {
  const auto gpu = nvidia_information(
      "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 0\nGPU UUID: \t GPU-0\nVideo BIOS: \t 96.00.A5.00.01\n");
  EXPECT_EQ(gpu.model, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(gpu.uuid, "GPU-0");
  EXPECT_EQ(gpu.video_bios, "96.00.A5.00.01");
}

TEST(NvidiaInformation, WhatIsNotToldIsEmpty) { EXPECT_EQ(nvidia_information("garbage").model, ""); }

TEST(NvidiaInformation, NothingWithoutADriver) {
  const tests::TemporaryFolder tree;
  tree.write("proc/version", "");
  EXPECT_FALSE(nvidia_information(Sysfs(tree.path()), "0001:00:00.0"));
}

}  // namespace
}  // namespace muster::topology
