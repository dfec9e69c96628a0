// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks.hpp"

#include <gtest/gtest.h>

#include "benchmarks/alone.hpp"
#include "tests/support/thread_ranks.hpp"

namespace muster::benchmarks {
namespace {

TEST(AllGather, GivesEveryRankAllTextsWhateverIsInThem) {
  const std::vector<std::string> said = {"3:abc\n", "", std::string("\0:", 2)};
  tests::as_ranks(said.size(), [&](Ranks& ranks) {
    EXPECT_EQ(all_gather(ranks, said[static_cast<std::size_t>(ranks.rank())]), said);
  });
}

TEST(AllGather, OfOneIsItsOwn) { EXPECT_EQ(all_gather(*make_alone(), "here"), std::vector<std::string>{"here"}); }

TEST(GatherNumbers, SomeRanksMayHaveNone) {
  tests::as_ranks(2, [](Ranks& ranks) {
    const auto own = ranks.rank() == 0 ? std::vector<double>() : std::vector<double>{1, 2};
    const auto all = gather_numbers(ranks, own);
    if (ranks.rank() == 0) {
      EXPECT_EQ(all, (std::vector<std::vector<double>>{{}, {1, 2}}));
    }
  });
}

}  // namespace
}  // namespace muster::benchmarks
