// SPDX-License-Identifier: Apache-2.0
#include "results/values/quantity.hpp"

#include <gtest/gtest.h>

namespace muster::results {
namespace {

TEST(Quantity, PrintsThreeDigitsAndADecimalPrefix) {
  EXPECT_EQ(to_text({371.4e9, Unit::byte_per_second}), "371 GB/s");
  EXPECT_EQ(to_text({4e11, Unit::bit_per_second}), "400 Gb/s");
  EXPECT_EQ(to_text({1.25e-3, Unit::second}), "1.25 ms");
  EXPECT_EQ(to_text({42e-6, Unit::second}), "42 µs");
  EXPECT_EQ(to_text({1073741824, Unit::byte}), "1.07 GB");
  EXPECT_EQ(to_text({1.98e9, Unit::hertz}), "1.98 GHz");
  EXPECT_EQ(to_text({34.5, Unit::celsius}), "34.5 °C");
  EXPECT_EQ(to_text({756.4e12, Unit::operation_per_second}), "756 Top/s");
}

TEST(Quantity, RoundsIntoTheNextPrefix) {
  EXPECT_EQ(to_text({999.6e6, Unit::byte_per_second}), "1 GB/s");
  EXPECT_EQ(to_text({999.4e6, Unit::byte_per_second}), "999 MB/s");
  EXPECT_EQ(to_text({0.9999e-3, Unit::second}), "1 ms");
}

TEST(Quantity, PrintsCountsExactly) {
  EXPECT_EQ(to_text({8, Unit::one}), "8");
  EXPECT_EQ(to_text({1234567, Unit::one}), "1234567");
  EXPECT_EQ(to_text({0.9314, Unit::one}), "0.931");
}

TEST(Quantity, HasNoKiloSecondsAndNoMilliBytes) {
  EXPECT_EQ(to_text({1800, Unit::second}), "1800 s");
  EXPECT_EQ(to_text({0.5, Unit::byte_per_second}), "0.5 B/s");
}

TEST(Quantity, PrintsZeroAndNegativeValuesInTheBaseUnit) {
  EXPECT_EQ(to_text({0, Unit::byte_per_second}), "0 B/s");
  EXPECT_EQ(to_text({0, Unit::second}), "0 s");
  EXPECT_EQ(to_text({-5, Unit::celsius}), "-5 °C");
  EXPECT_EQ(to_text({-2.5e-3, Unit::second}), "-2.5 ms");
}

TEST(Quantity, PrintsSharesToTwoDigits) {
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.00123), "0.12 %");
  EXPECT_EQ(percent(0.075), "7.5 %");
  EXPECT_EQ(percent(0.0999), "10 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(-1.5), "-150 %");
}

TEST(Quantity, FindsEveryUnitByItsSymbol) {
  for (int unit = 0; unit <= static_cast<int>(Unit::operation_per_second); ++unit)
    EXPECT_EQ(unit_from(symbol(static_cast<Unit>(unit))), static_cast<Unit>(unit));
  EXPECT_EQ(unit_from("GB/s"), std::nullopt);
  EXPECT_EQ(symbol(Unit::celsius), "°C");
  EXPECT_EQ(symbol(Unit::operation_per_second), "op/s");
  EXPECT_EQ(symbol(Unit::bit_per_second), "bit/s");
}

}  // namespace
}  // namespace muster::results
