// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/monitor_ends.hpp"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <thread>

namespace muster::healthcheck {
namespace {

using namespace std::chrono_literals;
using results::Outcome;

const MonitoredJob three_hosts{.run_id = "this", .hosts = {"h1", "h2", "h3"}, .limit_seconds = 24};

OwnState own(std::uint64_t step, std::string failure = "") { return {.step = step, .failure = std::move(failure)}; }

OwnState told() { return {.step = 7, .failure = {}, .told_to_stop = true}; }

// Rank 0 and its two spokes over this machine's own network, at a time that the test sets.
class Watched : public testing::Test {
 protected:
  Watched() {
    for (const auto rank : {std::size_t{1}, std::size_t{2}}) spokes_.push_back(joined(rank));
  }

  std::unique_ptr<MonitorClient> joined(std::size_t rank) {
    auto made = std::async(std::launch::async, [&, rank] {
      return std::make_unique<MonitorClient>(three_hosts, rank, hub_.address(), start_);
    });
    while (made.wait_for(1ms) != std::future_status::ready) hub_.look(own(0), start_);
    return made.get();
  }

  // All speak and hear, twice because the hub waits for more bad news; what the hub makes of it.
  std::optional<JobFailure> round(MonitorEnd::Time now, const std::vector<OwnState>& states) {
    for (int turn = 0; turn < 2; ++turn) {
      for (std::size_t rank = 1; rank < states.size(); ++rank)
        if (const auto& spoke = spokes_[rank - 1]) {
          EXPECT_FALSE(spoke->look(states[rank], now));
        }
      std::this_thread::sleep_for(5ms);  // for the kernel to carry the lines
      if (auto trouble = hub_.look(states[0], now)) return trouble;
    }
    return std::nullopt;
  }

  MonitorEnd::Time start_ = std::chrono::steady_clock::now();
  MonitorServer hub_{three_hosts, start_};
  std::vector<std::unique_ptr<MonitorClient>> spokes_;
};

TEST_F(Watched, AHealthyJobHasNoTrouble) {
  for (int second = 0; second < 24; ++second) EXPECT_FALSE(round(start_ + second * 1s, {own(7), own(7), own(6)}));
}

TEST_F(Watched, ARankWhoseConnectionEndsHasDied) {
  spokes_[1].reset();
  const auto found = round(start_ + 1s, {own(7), own(7), own(7)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, Outcome::crashed);
  EXPECT_EQ(found->lost, (std::vector<LostRank>{{2, "died"}}));
}

TEST_F(Watched, AJobThatIsToldToStopStopsAndTheOthersLetRank0Speak) {
  EXPECT_FALSE(round(start_ + 1s, {own(7), told(), told()}));
  EXPECT_FALSE(round(start_ + 1s, {told(), told(), told()}));
  const auto found = round(start_ + 1s, {told(), told(), told()});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, Outcome::interrupted);
  EXPECT_EQ(found->reason, "the job was told to stop");
  std::this_thread::sleep_for(5ms);
  const auto other = spokes_[0]->look(told(), start_ + 1s);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->reason, "");
}

TEST_F(Watched, ARankThatDiedIsWhyItsJobIsToldToStop) {
  EXPECT_FALSE(round(start_ + 1s, {told(), told(), told()}));
  spokes_[1].reset();
  const auto found = round(start_ + 1s, {told(), told(), told()});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, Outcome::crashed);
  EXPECT_EQ(found->lost, (std::vector<LostRank>{{2, "died"}}));
}

TEST_F(Watched, ARankThatFailsSaysWhy) {
  const auto found = round(start_ + 1s, {own(7), own(7, "no\nmemory"), own(7)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, Outcome::error);
  EXPECT_EQ(found->lost, (std::vector<LostRank>{{1, "failed: no memory"}}));
}

TEST_F(Watched, ARankThatSaidWhyItGoesHasNotJustDied) {
  EXPECT_FALSE(spokes_[0]->look(own(7, "no memory"), start_ + 1s));
  spokes_[0].reset();
  const auto found = round(start_ + 1s, {own(7), own(7), own(7)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lost, (std::vector<LostRank>{{1, "failed: no memory"}}));
}

TEST_F(Watched, Rank0ThatFailsSaysWhy) {
  const auto found = round(start_ + 1s, {own(7, "no disk"), own(7), own(7)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lost, (std::vector<LostRank>{{0, "failed: no disk"}}));
}

TEST_F(Watched, ARankThatSaysNothingIsNamedAtTheTimeLimit) {
  EXPECT_FALSE(round(start_, {own(7), own(7), own(7)}));
  auto stopped = std::move(spokes_[0]);
  EXPECT_FALSE(round(start_ + 23s, {own(7), own(7), own(7)}));
  const auto found = round(start_ + 24s, {own(7), own(7), own(7)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, Outcome::timed_out);
  EXPECT_EQ(found->lost, (std::vector<LostRank>{{1, "went silent: it was stopped, or its host is gone"}}));
}

TEST_F(Watched, ARankThatNeverEntersIsNamedAtTheTimeLimit) {
  EXPECT_FALSE(round(start_ + 10s, {own(7), own(7), own(6)}));
  EXPECT_FALSE(round(start_ + 20s, {own(7), own(7), own(6)}));
  const auto found = round(start_ + 24s, {own(7), own(7), own(6)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lost, (std::vector<LostRank>{{2, "never entered operation 4, which others have"}}));
}

TEST_F(Watched, AJobThatIsOnlySlowAccusesNobody) {
  EXPECT_FALSE(round(start_ + 20s, {own(7), own(7), own(6)}));
  const auto found = round(start_ + 24s, {own(9), own(9), own(8)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, Outcome::timed_out);
  EXPECT_TRUE(found->lost.empty());
}

TEST_F(Watched, WithoutRank0EveryOtherKnowsAtOnceThatItDied) {
  { const MonitorServer gone = std::move(hub_); }
  for (const auto& spoke : spokes_) {
    const auto found = spoke->look(own(7), start_ + 1s);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->outcome, Outcome::crashed);
    EXPECT_EQ(found->reason, "rank 0 on h1 died");
  }
}

TEST_F(Watched, Rank0ThatSaysNothingIsNamedAtTheTimeLimit) {
  EXPECT_FALSE(round(start_, {own(7), own(7), own(7)}));
  EXPECT_FALSE(spokes_[0]->look(own(7), start_ + 20s));
  const auto found = spokes_[0]->look(own(7), start_ + 24s);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->reason,
            "the job did not end within 24 s: rank 0 on h1 went silent: it was stopped, or its host is gone");
}

TEST_F(Watched, WhatRank0SaysNobodyElseNeedsToSay) {
  ASSERT_TRUE(hub_.look(own(7), start_ + 24s));
  { const MonitorServer gone = std::move(hub_); }
  for (const auto& spoke : spokes_) {
    const auto found = spoke->look(own(7), start_ + 24s);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->reason, "");
  }
}

TEST_F(Watched, WhoPartsIsNoLoss) {
  EXPECT_FALSE(spokes_[0]->part());
  EXPECT_FALSE(round(start_ + 1s, {own(7), own(7), own(7)}));
  spokes_[0].reset();
  EXPECT_FALSE(round(start_ + 2s, {own(7), own(7), own(7)}));
  EXPECT_FALSE(hub_.part()) << "rank 2 still works";
  std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(spokes_[1]->part());
  std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(hub_.part());
}

TEST(MonitorServer, LetsInEachRankOfItsOwnJobOnce) {
  const auto start = std::chrono::steady_clock::now();
  MonitorServer hub(three_hosts, start);
  std::vector<std::unique_ptr<MonitorClient>> inside;
  const auto let_in = [&](const MonitoredJob& job) {
    auto made =
        std::async(std::launch::async, [&] { return std::make_unique<MonitorClient>(job, 1, hub.address(), start); });
    while (made.wait_for(1ms) != std::future_status::ready) hub.look(own(0), start);
    inside.push_back(made.get());
  };
  auto another = three_hosts;
  another.run_id = "another";
  EXPECT_THROW(let_in(another), std::system_error);
  EXPECT_NO_THROW(let_in(three_hosts));
  EXPECT_THROW(let_in(three_hosts), std::system_error) << "rank 1 is inside";
}

TEST(LookInterval, LeavesRank0LittleToDo) {
  EXPECT_EQ(look_interval(2), 100ms);
  EXPECT_EQ(look_interval(16), 100ms);
  EXPECT_EQ(look_interval(2048), 3300ms);
}

}  // namespace
}  // namespace muster::healthcheck
