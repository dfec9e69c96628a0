// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "benchmarks/ranks/alone.hpp"
#include "benchmarks/ranks/thread_ranks.hpp"

namespace muster::benchmarks {
namespace {

TEST(AllGather, GivesEveryRankAllTextsWhateverIsInThem) {
  const std::vector<std::string> said = {"3:abc\n", "", std::string("\0:", 2)};
  as_ranks(said.size(),
           [&](Ranks& ranks) { EXPECT_EQ(all_gather(ranks, said[static_cast<std::size_t>(ranks.rank())]), said); });
}

TEST(ThreadRanks, NobodyWaitsForOneThatThrew) {
  for (const bool listens : {false, true}) {
    EXPECT_THROW(as_ranks(3,
                          [&](Ranks& ranks) {
                            if (ranks.rank() == 1) throw std::length_error("too long");
                            while (listens) EXPECT_FALSE(ranks.heard(1));
                            ranks.barrier();
                            ADD_FAILURE() << "rank " << ranks.rank() << " goes on";
                          }),
                 std::length_error);
  }
}

TEST(AllGather, OfOneIsItsOwn) { EXPECT_EQ(all_gather(*make_alone(), "here"), std::vector<std::string>{"here"}); }

TEST(GatherNumbers, SomeRanksMayHaveNone) {
  as_ranks(2, [](Ranks& ranks) {
    const auto own = ranks.rank() == 0 ? std::vector<double>() : std::vector<double>{1, 2};
    const auto all = gather_numbers(ranks, own);
    if (ranks.rank() == 0) {
      EXPECT_EQ(all, (std::vector<std::vector<double>>{{}, {1, 2}}));
    }
  });
}

TEST(GatherInParts, GivesRankZeroAllInOrder) {
  constexpr std::size_t count = 10000;
  as_ranks(3, [&](Ranks& ranks) {
    std::vector<double> own(count);
    std::iota(own.begin(), own.end(), ranks.rank() * 1e6);
    std::vector<std::vector<double>> all(3);
    std::size_t parts = 0;
    gather_in_parts(ranks, own, [&](const auto& part) {
      ++parts;
      ASSERT_EQ(part.size(), all.size());
      for (std::size_t rank = 0; rank < all.size(); ++rank)
        all[rank].insert(all[rank].end(), part[rank].begin(), part[rank].end());
    });
    if (ranks.rank() != 0) {
      EXPECT_EQ(parts, 0U);
      return;
    }
    EXPECT_GT(parts, 1U);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      ASSERT_EQ(all[rank].size(), count);
      EXPECT_EQ(all[rank].front(), static_cast<double>(rank) * 1e6);
      EXPECT_TRUE(std::ranges::is_sorted(all[rank]));
    }
  });
}

}  // namespace
}  // namespace muster::benchmarks
