// SPDX-License-Identifier: Apache-2.0
#include "results/values/merged_labels.hpp"

#include <gtest/gtest.h>

namespace muster::results {
namespace {

TEST(MergedLabels, SetsThatDifferInOneLabelBecomeOne) {
  EXPECT_EQ(merged({{{"kernel", "add"}}, {{"kernel", "copy"}}}), (std::vector<Labels>{{{"kernel", "add and copy"}}}));
  EXPECT_EQ(merged({{{"gpu", "0"}}, {{"gpu", "3"}}, {{"gpu", "5"}}}), (std::vector<Labels>{{{"gpu", "0, 3 and 5"}}}));
  EXPECT_EQ(merged({{{"gpu", "1"}}, {{"gpu", "2"}}, {{"gpu", "3"}}}), (std::vector<Labels>{{{"gpu", "1 to 3"}}}));
  EXPECT_EQ(merged({{{"gpu", "1"}}, {{"gpu", "1"}}}), (std::vector<Labels>{{{"gpu", "1"}}}));
}

TEST(MergedLabels, EverySetOfAProductIsMeant) {
  std::vector<Labels> sets;
  for (const auto* gpu : {"6", "7", "8"})
    for (const auto* memory : {"dram", "sram"}) sets.push_back({{"gpu", gpu}, {"memory", memory}});
  EXPECT_EQ(merged(sets), (std::vector<Labels>{{{"gpu", "6 to 8"}, {"memory", "dram and sram"}}}));
  sets.pop_back();  // gpu 8 has one memory alone
  EXPECT_EQ(merged(sets),
            (std::vector<Labels>{{{"gpu", "6 to 8"}, {"memory", "dram"}}, {{"gpu", "6 and 7"}, {"memory", "sram"}}}));
}

TEST(MergedLabels, SetsThatDifferInMoreStayAsTheyAre) {
  const std::vector<Labels> drives{{{"drive", "nvme0"}, {"pci", "1"}}, {{"drive", "nvme1"}, {"pci", "2"}}};
  EXPECT_EQ(merged(drives), drives);
  const std::vector<Labels> others{{{"gpu", "0"}}, {{"nic", "mlx5_0"}}, {}};
  EXPECT_EQ(merged(others).size(), 3U);
}

}  // namespace
}  // namespace muster::results
