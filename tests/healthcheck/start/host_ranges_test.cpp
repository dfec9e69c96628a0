// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/host_ranges.hpp"

#include <gtest/gtest.h>

#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

using Names = std::vector<std::string>;

std::string refusal_of_list(std::string_view list) {
  try {
    expanded(list, "--nodes");
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Expanded, KeepsZerosAndCommasInsideOfBrackets) {
  EXPECT_EQ(expanded("gpu-[0009-0011,7],login", "x"), (Names{"gpu-0009", "gpu-0010", "gpu-0011", "gpu-7", "login"}));
  EXPECT_EQ(expanded("n[1-003,98-101]", "x"), (Names{"n1", "n2", "n3", "n98", "n99", "n100", "n101"}));
}

TEST(Expanded, PartsNamesAtCommasAndBlanks) {
  for (const auto* list : {"a,b", "a, b", "a b", " a  b ", "a\tb\n", "a,\r\nb", ",a,,b,"})
    EXPECT_EQ(expanded(list, "x"), (Names{"a", "b"})) << list;
  EXPECT_EQ(expanded("n[1-2] n3,a,a", "x"), (Names{"n1", "n2", "n3", "a", "a"}));
  EXPECT_EQ(expanded(" ,", "x"), Names{});
}

TEST(Expanded, IsInSlurmsOrderOfSeveralRanges) {
  EXPECT_EQ(expanded("r[1-2]n[1-2]", "x"), (Names{"r1n1", "r1n2", "r2n1", "r2n2"}));
  EXPECT_EQ(expanded("a[1-2]b[1-2]c[1-2]", "x"),
            (Names{"a1b1c1", "a1b1c2", "a2b1c1", "a2b1c2", "a1b2c1", "a1b2c2", "a2b2c1", "a2b2c2"}));
}

TEST(Expanded, ReadsTextBehindARangeWhichSlurmRefuses) {
  EXPECT_EQ(expanded("gpu-[1-2].site,r[1]n[2]x", "x"), (Names{"gpu-1.site", "gpu-2.site", "r1n2x"}));
}

TEST(Expanded, RefusesWhatIsNoListInOneSentence) {
  for (const auto* list : {"n[]",
                           "n[1-",
                           "n[1-2",
                           "n[1,2",
                           "n[3-1]",
                           "n[a-b]",
                           "n[1-]",
                           "n[-2]",
                           "n[1--2]",
                           "n[1-2-3]",
                           "n[1,,2]",
                           "n[,1]",
                           "n[1,]",
                           "n[ 1]",
                           "n[1, 2]",
                           "n[1 -2]",
                           "n[+1]",
                           "n[0x1-0x2]",
                           "n]1",
                           "n[[1]]",
                           "n[1]]",
                           "[",
                           "]",
                           "a,n[",
                           "n[1-99999999]",
                           "n[99999999999999999999]",
                           "n[1-999][1-999]",
                           "n[1-99999,1-99999]",
                           "n[1-99999],m[1-99999]",
                           "n[\xd9\xa1]"}) {
    const auto said = refusal_of_list(list);
    EXPECT_TRUE(said.starts_with("--nodes: '" + std::string(list) + "' is not a list of hosts"))
        << list << ": " << said;
    EXPECT_EQ(said.find("--hosts"), std::string::npos) << said;
  }
  for (const auto* end : {"", "]"}) EXPECT_LT(refusal_of_list("n[" + std::string(100'000, '9') + end).size(), 400U);
  EXPECT_NE(refusal_of_list("n[1-").find("'[' has no ']'"), std::string::npos);
}

}  // namespace
}  // namespace muster::healthcheck
