// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/sizes.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "benchmarks/error.hpp"

namespace muster::benchmarks {
namespace {

TEST(Sizes, GrowByTheFactor) {
  EXPECT_EQ(sizes(8, 64, 2), (std::vector<std::size_t>{8, 16, 32, 64}));
  EXPECT_EQ(sizes(8, 63, 4), (std::vector<std::size_t>{8, 32}));
  EXPECT_EQ(sizes(8, 8, 2), (std::vector<std::size_t>{8}));
  EXPECT_EQ(sizes(std::size_t{1} << 62, SIZE_MAX, 2).size(), 2U) << "no overflow";
}

TEST(Sizes, RefuseWhatIsNone) {
  EXPECT_THROW(sizes(64, 8, 2), Error);
  EXPECT_THROW(sizes(0, 8, 2), Error);
  EXPECT_THROW(sizes(8, 64, 1), Error);
  EXPECT_THROW(sizes(8, 64, 0), Error);
}

TEST(SizeText, IsExactInTheLargestUnit) {
  EXPECT_EQ(size_text(8), "8 B");
  EXPECT_EQ(size_text(1000), "1000 B");
  EXPECT_EQ(size_text(std::size_t{64} << 10), "64 KiB");
  EXPECT_EQ(size_text(1536), "1536 B");
  EXPECT_EQ(size_text(std::size_t{1} << 30), "1 GiB");
}

}  // namespace
}  // namespace muster::benchmarks
