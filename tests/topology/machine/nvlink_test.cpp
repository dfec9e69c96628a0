// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/nvlink.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {
namespace {

std::string gpu(int number, int sm, int links) {
  return fmt::format(R"(<pci busid="{0:04x}:00:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
    <gpu dev="{0}" sm="{1}" rank="{0}" gdr="1"><nvlink target="fffffff:ffff:ff" count="{2}" tclass="0x068000"/></gpu>
  </pci>)",
                     number, sm, links);
}

NvlinkDomain domain(const std::string& devices) {
  return nvlink_domain(read_topology(R"(<system version="1"><cpu numaid="0">)" + devices + "</cpu></system>").machine);
}

TEST(Nvlink, CarriesWhatTheDataSheetsSay) {
  EXPECT_EQ(domain(gpu(0, 90, 18) + gpu(1, 90, 18)).gpus, 2U);
  EXPECT_DOUBLE_EQ(domain(gpu(0, 90, 18)).rate, 450e9) << "H100";
  EXPECT_DOUBLE_EQ(domain(gpu(0, 80, 12)).rate, 300e9) << "A100";
  EXPECT_DOUBLE_EQ(domain(gpu(0, 100, 18)).rate, 900e9) << "B200";
}

TEST(Nvlink, OfADomainIsThatOfItsWeakestGpu) { EXPECT_DOUBLE_EQ(domain(gpu(0, 90, 18) + gpu(1, 90, 16)).rate, 400e9); }

TEST(Nvlink, OfAnUnknownGenerationIsNotGuessed) { EXPECT_EQ(domain(gpu(0, 75, 2)).rate, 0); }

TEST(Nvlink, IsNotThereWithoutGpus) {
  EXPECT_EQ(domain("").gpus, 0U);
  EXPECT_EQ(domain("").rate, 0);
}

}  // namespace
}  // namespace muster::topology
