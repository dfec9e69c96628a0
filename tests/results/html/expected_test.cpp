// SPDX-License-Identifier: Apache-2.0
#include "results/html/expected.hpp"

#include <gtest/gtest.h>

#include "results/html/scale.hpp"

namespace muster::results::html {
namespace {

Measurement rate(double value, Unit unit = Unit::byte_per_second) {
  Measurement measurement;
  measurement.metric = "allreduce.bus_bandwidth";
  measurement.value = Quantity{value, unit};
  return measurement;
}

TEST(Amount, IsReadAsItIsWritten) {
  for (const auto unit :
       {Unit::byte_per_second, Unit::bit_per_second, Unit::second, Unit::hertz, Unit::one, Unit::watt, Unit::celsius})
    for (const double value : {4.65e11, 1.25, 96.0, 0.0}) {
      const auto read = amount(to_text(Quantity{value, unit}), unit);
      ASSERT_TRUE(read) << to_text(Quantity{value, unit});
      EXPECT_NEAR(*read, value, 0.01 * value) << to_text(Quantity{value, unit});
    }
  EXPECT_FALSE(amount("ACTIVE", Unit::byte_per_second));
  EXPECT_FALSE(amount("5 GB", Unit::byte_per_second));
}

TEST(Edges, AreThoseOfTheSentence) {
  const auto found = edges(rate(4e11), "at least 465 GB/s (fails below 440 GB/s)");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->more_is_better);
  EXPECT_DOUBLE_EQ(found->good, 465e9);
  EXPECT_DOUBLE_EQ(found->bad, 440e9);
  const auto most = edges(rate(2e-6, Unit::second), "at most 500 ns (warns above 5 µs)");
  ASSERT_TRUE(most);
  EXPECT_FALSE(most->more_is_better);
  EXPECT_NEAR(most->bad, 5e-6, 1e-12);
  EXPECT_FALSE(edges(rate(1), "like its peers"));
}

TEST(Edges, OfALimitAreShares) {
  auto measured = rate(3e11);
  EXPECT_FALSE(edges(measured, "at least 60 % of the physical limit (fails below 40 %)"));
  measured.limit = Limit{{5e11, Unit::byte_per_second}, "DMI"};
  const auto found = edges(measured, "at least 60 % of the physical limit (fails below 40 %)");
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->good, 3e11);
  EXPECT_DOUBLE_EQ(found->bad, 2e11);
}

TEST(Edges, AreExactWhereARuleStoppedThere) {
  auto measured = rate(4e11);
  measured.stopping = Stopping{.rule = "sequential", .pass_edge = 4.651e11, .fail_edge = 4.4e11, .noise = {}};
  EXPECT_DOUBLE_EQ(edges(measured, "at least 465 GB/s")->good, 4.651e11);
}

TEST(SizeOf, ReadsSizesOfLabels) {
  EXPECT_EQ(size_of("8B"), 8);
  EXPECT_EQ(size_of("16 MiB"), 16.0 * 1024 * 1024);
  EXPECT_FALSE(size_of("all"));
  EXPECT_FALSE(size_of("0 B"));
}

TEST(Ticks, HoldTheValues) {
  EXPECT_EQ(linear_ticks(470), (std::vector<double>{0, 100, 200, 300, 400, 500}));
  const auto ticks = logarithmic_ticks(1.5e-6, 1.9e-6);
  EXPECT_LE(ticks.front(), 1.5e-6);
  EXPECT_GE(ticks.back(), 1.9e-6);
  EXPECT_GE(logarithmic_ticks(1, 1).size(), 2U);
  EXPECT_GE(linear_ticks(-1).size(), 2U);
}

TEST(Spread, KeepsNamesApart) { EXPECT_EQ(spread({100, 101, 20}, 18, 0, 110), (std::vector<double>{92, 110, 20})); }

}  // namespace
}  // namespace muster::results::html
