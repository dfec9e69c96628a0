// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/job_failure.hpp"

#include <gtest/gtest.h>

#include <array>

namespace muster::healthcheck {
namespace {

using Life = RankState::Life;
using results::Outcome;

const std::vector<std::string> hosts{"h1", "h1", "h2", "h2"};

std::vector<RankState> ranks_at(const std::array<std::uint64_t, 4>& steps) {
  std::vector<RankState> ranks;
  for (const auto step : steps) ranks.push_back({.life = Life::well, .step = step, .moving = false, .words = {}});
  return ranks;
}

TEST(LostRanks, ThatNeverEnteredAreBehindThoseInside) {
  EXPECT_EQ(lost_ranks(ranks_at({23, 23, 22, 23})),
            (std::vector<LostRank>{{2, "never entered operation 12, which others have"}}));
  EXPECT_EQ(lost_ranks(ranks_at({1, 0, 1, 0})),
            (std::vector<LostRank>{{1, "never entered operation 1, which others have"},
                                   {3, "never entered operation 1, which others have"}}));
}

TEST(LostRanks, ThatNeverEnteredAreBehindThoseThatLeftAlready) {
  EXPECT_EQ(lost_ranks(ranks_at({24, 24, 22, 24})),
            (std::vector<LostRank>{{2, "never entered operation 12, which others have"}}));
}

TEST(LostRanks, ThatNeverLeftAreInsideWhatOthersAreOutOf) {
  EXPECT_EQ(lost_ranks(ranks_at({24, 23, 24, 24})),
            (std::vector<LostRank>{{1, "never left operation 12, which others have"}}));
  EXPECT_EQ(lost_ranks(ranks_at({25, 23, 25, 25})),
            (std::vector<LostRank>{{1, "never left operation 12, which others have"}}));
}

TEST(LostRanks, ThatNeverEnteredExplainThoseThatWaitForThem) {
  EXPECT_EQ(lost_ranks(ranks_at({23, 23, 22, 24})),
            (std::vector<LostRank>{{2, "never entered operation 12, which others have"}}));
}

TEST(LostRanks, AreNoneWhereAllAreEquallyFar) {
  EXPECT_TRUE(lost_ranks(ranks_at({23, 23, 23, 23})).empty());
  EXPECT_TRUE(lost_ranks(ranks_at({24, 24, 24, 24})).empty());
  EXPECT_TRUE(lost_ranks(ranks_at({0, 0, 0, 0})).empty());
}

TEST(LostRanks, AreNoneAsLongAsSomebodyMoves) {
  auto ranks = ranks_at({23, 23, 22, 23});
  ranks[2].moving = true;
  EXPECT_TRUE(lost_ranks(ranks).empty());
}

TEST(LostRanks, AreKnownBySurerSignsThanTheirSteps) {
  auto ranks = ranks_at({23, 23, 22, 23});
  ranks[1].life = Life::silent;
  EXPECT_EQ(lost_ranks(ranks), (std::vector<LostRank>{{1, "went silent: it was stopped, or its host is gone"}}));
  ranks[3].life = Life::failed;
  ranks[3].words = "no memory";
  EXPECT_EQ(lost_ranks(ranks), (std::vector<LostRank>{{3, "failed: no memory"}}));
  ranks[0].life = Life::died;
  EXPECT_EQ(lost_ranks(ranks), (std::vector<LostRank>{{0, "died"}}));
}

TEST(JobFailure, IsSaidWithTheHosts) {
  auto ranks = ranks_at({23, 23, 22, 23});
  EXPECT_EQ(job_failure(ranks, hosts, 24).reason,
            "the job did not end within 24 s: rank 2 on h2 never entered operation 12, which others have");
  EXPECT_EQ(job_failure(ranks, hosts, 24).outcome, Outcome::timed_out);
  ranks[3].life = Life::failed;
  ranks[3].words = "no memory";
  EXPECT_EQ(job_failure(ranks, hosts, 24).reason, "rank 3 on h2 failed: no memory");
  EXPECT_EQ(job_failure(ranks, hosts, 24).outcome, Outcome::error);
  ranks[0].life = ranks[1].life = Life::died;
  EXPECT_EQ(job_failure(ranks, hosts, 24).reason, "rank 0 on h1 died, rank 1 on h1 died");
  EXPECT_EQ(job_failure(ranks, hosts, 24).outcome, Outcome::crashed);
}

TEST(JobFailure, WithNobodyToBlameSaysWhereAllAre) {
  EXPECT_EQ(job_failure(ranks_at({23, 23, 23, 23}), hosts, 5).reason,
            "the job did not end within 5 s: all ranks are inside operation 12");
  EXPECT_EQ(job_failure(ranks_at({24, 24, 24, 24}), hosts, 5).reason,
            "the job did not end within 5 s: all ranks are past operation 12");
  auto ranks = ranks_at({23, 23, 22, 23});
  ranks[0].moving = true;
  EXPECT_EQ(job_failure(ranks, hosts, 5).reason,
            "the job did not end within 5 s: all ranks still go on; give --timeout if they are only slow");
}

TEST(JobFailure, OfManyRanksNamesTheFirst) {
  const std::vector<RankState> ranks(20, {.life = Life::died, .step = 0, .moving = false, .words = {}});
  const auto found = job_failure(ranks, std::vector<std::string>(20, "h"), 5);
  EXPECT_EQ(found.lost.size(), 20U);
  EXPECT_TRUE(found.reason.ends_with("rank 7 on h died, and 12 more")) << found.reason;
}

}  // namespace
}  // namespace muster::healthcheck
