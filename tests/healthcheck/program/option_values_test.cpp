// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/option_values.hpp"

#include <gtest/gtest.h>

namespace muster::healthcheck {
namespace {

TEST(SizeOf, CountsInUnitsOf1024) {
  EXPECT_EQ(size_of("0"), 0);
  EXPECT_EQ(size_of("4096"), 4096);
  EXPECT_EQ(size_of("4096B"), 4096);
  for (const auto* text : {"4k", "4K", "4KB", "4 KiB", "4ki"}) EXPECT_EQ(size_of(text), 4096) << text;
  EXPECT_EQ(size_of("3E"), 3458764513820540928);
}

TEST(SizeOf, IsNothingForOtherTextsAndBeyond64Bits) {
  for (const auto* text : {"", "K", "-1", "+1", "1.5G", "4Q", "4KiBs", "4 K B", "0x10", "16E", "18446744073709551616"})
    EXPECT_FALSE(size_of(text)) << text;
}

TEST(TimeSpanOf, CountsInSecondsMinutesHoursAndDays) {
  EXPECT_EQ(time_span_of("0s"), std::chrono::seconds(0));
  EXPECT_EQ(time_span_of("90s"), std::chrono::seconds(90));
  EXPECT_EQ(time_span_of("90m"), std::chrono::minutes(90));
  EXPECT_EQ(time_span_of("6h"), std::chrono::hours(6));
  EXPECT_EQ(time_span_of("2d"), std::chrono::days(2));
}

TEST(TimeSpanOf, IsNothingForOtherTextsAndMoreThanACentury) {
  for (const auto* text :
       {"", "h", "6", "-6h", "+6h", "1.5h", "6H", "6hh", "6 h", " 6h", "6w", "36501d", "4294967296s"})
    EXPECT_FALSE(time_span_of(text)) << text;
}

TEST(WhyNoValue, SaysItInTheWordsOfTheFormOfValue) {
  EXPECT_EQ(why_no_whole_number("12"), "");
  EXPECT_EQ(why_no_whole_number("-1"), "'-1' is not a whole number of 0 or more");
  EXPECT_EQ(why_no_number("-1.5e3"), "");
  EXPECT_EQ(why_no_number("nan"), "'nan' is not a number");
  EXPECT_EQ(why_no_positive_number("0.1"), "");
  EXPECT_EQ(why_no_positive_number("0"), "'0' is not a number above 0");
  EXPECT_EQ(why_no_size("64K", 65536), "");
  EXPECT_EQ(why_no_size("64", 65536), "'64' is less than 65.5 kB");
  EXPECT_EQ(why_no_also("csv=a=b", {"json", "csv"}), "");
  EXPECT_EQ(why_no_also("csv", {"json", "csv"}), "'csv' is not FORMAT=FILE, such as json=FILE");
  EXPECT_EQ(why_no_also("csv=", {"json", "csv"}), "'csv=' is not FORMAT=FILE, such as json=FILE");
  EXPECT_EQ(why_no_also("csv=-", {"json", "csv"}), "'csv=-' names no file; --format prints on stdout");
  EXPECT_EQ(why_no_choice("json", {"text", "json"}), "");
  EXPECT_EQ(why_no_choice("jsom", {"text", "json"}), "'jsom' is not one of text, json. Did you mean 'json'?");
}

}  // namespace
}  // namespace muster::healthcheck
