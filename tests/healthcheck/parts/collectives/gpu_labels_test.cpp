// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/gpu_labels.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;

const topology::Sysfs& ndv5_tree() {
  static const topology::Sysfs sysfs(tests::source_folder() / "tests/machines/ndv5");
  return sysfs;
}

TEST(GpuPlace, NamesTheNicBesideIt) {
  EXPECT_EQ(gpu_labels(ndv5_tree(), "0001:00:00.0"),
            (Labels{{"gpu", "0"}, {"pci", "0001:00:00.0"}, {"nic", "mlx5_ib0"}}));
  EXPECT_EQ(gpu_labels(ndv5_tree(), "000c:00:00.0"),
            (Labels{{"gpu", "7"}, {"pci", "000c:00:00.0"}, {"nic", "mlx5_ib7"}}));
}

TEST(GpuPlace, IsTheAddressWhereTheMachineTellsNoMore) {
  EXPECT_EQ(gpu_labels(ndv5_tree(), "00ff:00:00.0"), (Labels{{"pci", "00ff:00:00.0"}}));
  const tests::TemporaryFolder nothing;
  nothing.write("proc/version", "");
  EXPECT_EQ(gpu_labels(topology::Sysfs(nothing.path()), "0001:00:00.0"), (Labels{{"pci", "0001:00:00.0"}}));
}

}  // namespace
}  // namespace muster::healthcheck
