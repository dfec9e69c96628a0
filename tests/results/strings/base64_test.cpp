// SPDX-License-Identifier: Apache-2.0
#include "results/strings/base64.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace muster::results {
namespace {

TEST(Base64, IsThatOfRfc4648) {
  for (const auto& [bytes, text] :
       {std::pair{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}}) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
  EXPECT_EQ(from_base64("Zg"), "f");
  EXPECT_FALSE(from_base64("Zg-="));
}

}  // namespace
}  // namespace muster::results
