// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/culprit_facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/thread_ranks.hpp"

namespace muster::healthcheck {
namespace {

constexpr double bytes = 1e6;
constexpr std::size_t samples = 20;

// A collective of 1 MB that took 4 ms, where its profile allows 1 ms.
Measured slow() {
  Measured measured{.labels = {{"size", "1 MB"}}, .bytes = static_cast<std::size_t>(bytes)};
  measured.sum_up(
      {.samples = {.unit = results::Unit::byte_per_second, .values = std::vector<double>(samples, bytes / 4e-3)},
       .stopping = {.rule = "a test", .pass_edge = bytes / 1e-3, .fail_edge = bytes / 2e-3, .decision = "fail"}});
  measured.seconds = std::vector<double>(samples, 4e-3);
  return measured;
}

struct Found {
  std::vector<std::string> slow;  // the hosts of slow paths
  std::vector<std::string> late;  // and of late ranks
  CulpritFacts::Amount asked;
  std::size_t exchanges = 0;  // of rank 0, with whomsoever
};

std::vector<std::string> hosts_of(const results::CheckRun& run, const std::string& metric) {
  std::vector<std::string> hosts;
  for (const auto& fact : run.measurements)
    if (fact.metric == metric) hosts.push_back(fact.labels.at("host"));
  return hosts;
}

// What so many hosts find; `seconds` tells the time of an exchange of 1 MB between two of them, the how many-eth of the
// first one. Rank 0 enters the collective last.
Found found(std::size_t hosts, const std::function<double(int one, int other, std::size_t nth)>& seconds,
            std::size_t most_bytes = 1'000'000, Deadline deadline = Deadline::max()) {
  Found found;
  std::vector<std::string> names = {"a", "b", "c", "d"};
  names.resize(hosts);
  benchmarks::as_ranks(hosts, [&](benchmarks::Ranks& ranks) {
    results::CheckRun run;
    Context context({.sysfs = topology::Sysfs(), .deadline = deadline, .ranks = &ranks, .hosts = names}, run,
                    [](const auto&) {});
    CulpritFacts facts(context, "check");
    auto measured = slow();
    if (ranks.rank() == 0) measured.seconds = std::vector<double>(samples, 1e-3);
    facts.look_at(measured);
    std::size_t nth = 0;
    facts.add(most_bytes, [&](int partner, const CulpritFacts::Amount& amount) {
      if (ranks.rank() == 0) found.asked = amount;
      const auto [one, other] = std::minmax({ranks.rank(), partner});
      return std::vector<double>(amount.exchanges, bytes / seconds(one, other, nth++));
    });
    if (ranks.rank() != 0) return;
    found.slow = hosts_of(run, "check.slow_path");
    found.late = hosts_of(run, "check.late_rank");
    found.exchanges = nth;
  });
  return found;
}

using Names = std::vector<std::string>;

// Of two hosts that exchange 1 MB in so many seconds.
Found pair(double seconds, std::size_t most_bytes = 1'000'000) {
  return found(
      2, [=](int, int, std::size_t) { return seconds; }, most_bytes);
}

TEST(SlowPair, IsNamedWhenItExplainsHalfTheTime) { EXPECT_EQ(pair(2.1e-3).slow, Names{"a b"}); }

TEST(SlowPair, IsNamedWhenItAloneTakesLongerThanAllMay) { EXPECT_EQ(pair(1.1e-3).slow, Names{"a b"}); }

TEST(SlowPair, IsNotNamedWhenItIsFast) {
  EXPECT_EQ(pair(0.9e-3).slow, Names{});
  EXPECT_EQ(pair(0.9e-3).late, Names{"a"}) << "then ranks are asked";
}

TEST(SlowPair, ExchangesWhatTheCollectiveMoved) {
  EXPECT_EQ(pair(1e-3).asked.bytes, 1'000'000U);
  EXPECT_EQ(pair(1e-3).asked.exchanges, 25U);
  EXPECT_EQ(pair(1e-3, 1000).asked.bytes, 1000U) << "or as much as it may";
}

TEST(SlowPath, IsOfTheHostWhosePairsAreAllSlow) {
  const auto clear = found(4, [](int one, int other, std::size_t) { return one == 2 || other == 2 ? 4e-3 : 0.1e-3; });
  EXPECT_EQ(clear.slow, Names{"c"});
  EXPECT_EQ(clear.late, Names{}) << "which makes others late";
  EXPECT_EQ(clear.exchanges, 3U);
}

TEST(SlowPath, ThatIsHiddenAtFirstIsSeenAtASecondLook) {
  const auto hidden =
      found(4, [](int one, int other, std::size_t nth) { return nth < 3 || one == 2 || other == 2 ? 4e-3 : 0.1e-3; });
  EXPECT_EQ(hidden.slow, Names{"c"});
  EXPECT_EQ(hidden.exchanges, 6U);
}

TEST(SlowPath, ThatIsHiddenHasNoSecondLookWithoutTheTime) {
  const auto hidden = found(
      4, [](int, int, std::size_t) { return 4e-3; }, 1'000'000, std::chrono::steady_clock::now());
  EXPECT_EQ(hidden.exchanges, 3U);
}

TEST(SlowPath, ThatStaysUnclearAccusesNobody) {
  const auto unclear = found(4, [](int, int, std::size_t) { return 4e-3; });
  EXPECT_EQ(unclear.slow, Names{});
  EXPECT_EQ(unclear.late, Names{});
}

TEST(LateRank, IsNamedWherePathsAreFast) {
  const auto late = found(4, [](int, int, std::size_t) { return 0.1e-3; });
  EXPECT_EQ(late.slow, Names{});
  EXPECT_EQ(late.late, Names{"a"});
  EXPECT_EQ(late.exchanges, 3U);
}

}  // namespace
}  // namespace muster::healthcheck
