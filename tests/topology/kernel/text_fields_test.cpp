// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/text_fields.hpp"

#include <gtest/gtest.h>

namespace muster::topology {
namespace {

using Views = std::vector<std::string_view>;

TEST(Scan, LinesNeedNoLastNewline) {
  EXPECT_EQ(lines("a\n\nb"), (Views{"a", "", "b"}));
  EXPECT_EQ(lines("a\n"), Views{"a"});
  EXPECT_TRUE(lines("").empty());
}

TEST(Scan, WordsAreSeparatedByAnyWhiteSpace) {
  EXPECT_EQ(words("  cpu\t1  22\n"), (Views{"cpu", "1", "22"}));
  EXPECT_TRUE(words(" \n").empty());
}

TEST(Scan, TrimmedLosesBothEnds) {
  EXPECT_EQ(trimmed("\t a b \n"), "a b");
  EXPECT_EQ(trimmed(" "), "");
}

TEST(Scan, KeyEndsAtTheFirstSeparator) {
  const auto pair = key_value("Bus Location: \t 0001:00:00.0", ':');
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, "Bus Location");
  EXPECT_EQ(pair->second, "0001:00:00.0");
  EXPECT_FALSE(key_value("no separator", ':'));
}

TEST(Scan, ValueOfTakesTheFirstLineWithTheWholeKey) {
  constexpr auto text = "model\t: 143\nmodel name\t: Xeon\nmodel name\t: other\n";
  EXPECT_EQ(value_of(text, "model name", ':'), "Xeon");
  EXPECT_EQ(value_of(text, "name", ':'), std::nullopt);
}

TEST(Scan, WholeNumberIsNothingButANumber) {
  EXPECT_EQ(whole_number("0"), 0);
  EXPECT_EQ(whole_number("-7"), -7);
  EXPECT_EQ(whole_number("0x10de"), 0x10de);
  for (const auto* text : {"", " 1", "1 ", "1.5", "0x", "0x-1", "x", "9223372036854775808"})
    EXPECT_EQ(whole_number(text), std::nullopt) << text;
}

}  // namespace
}  // namespace muster::topology
