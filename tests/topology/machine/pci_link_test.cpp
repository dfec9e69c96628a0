// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/pci_link.hpp"

#include <gtest/gtest.h>

namespace muster::topology {
namespace {

TEST(PciLink, CarriesWhatItsLineCodeLeaves) {
  const auto carried = [](const char* speed, std::int64_t width) {
    return bytes_per_second({.speed = speed, .width = width}).value_or(0);
  };
  EXPECT_NEAR(carried("32.0 GT/s PCIe", 16), 63.0e9, 0.1e9);
  EXPECT_NEAR(carried("16.0 GT/s PCIe", 16), 31.5e9, 0.1e9);
  EXPECT_NEAR(carried("5.0 GT/s PCIe", 8), 4e9, 1);
  EXPECT_NEAR(carried("64.0 GT/s PCIe", 16), 121e9, 1);
}

TEST(PciLink, CarriesNobodyKnowsWhatWhereSpeedOrWidthIsNotKnown) {
  EXPECT_EQ(bytes_per_second({.speed = {}, .width = 16}), std::nullopt);
  EXPECT_EQ(bytes_per_second({.speed = "32.0 GT/s PCIe", .width = {}}), std::nullopt);
  EXPECT_EQ(bytes_per_second({.speed = "Unknown", .width = 16}), std::nullopt);
}

}  // namespace
}  // namespace muster::topology
