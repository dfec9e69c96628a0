// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/culprit_facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/thread_ranks.hpp"

namespace muster::healthcheck {
namespace {

constexpr double bytes = 1e6;

// A collective of 1 MB that took 4 ms, where its profile allows 1 ms.
Measured slow() {
  Measured measured{.labels = {{"size", "1 MB"}}, .bytes = static_cast<std::size_t>(bytes)};
  measured.sampled.samples = {.unit = results::Unit::byte_per_second, .values = std::vector<double>(10, bytes / 4e-3)};
  measured.sampled.stopping = {
      .rule = "a test", .pass_edge = bytes / 1e-3, .fail_edge = bytes / 2e-3, .decision = "fail"};
  measured.seconds = std::vector<double>(10, 4e-3);
  return measured;
}

struct Found {
  bool is_path_named = false;
  CulpritFacts::Amount asked;
};

// What two hosts find that exchange 1 MB in so many seconds.
Found found(double exchange_seconds, std::size_t most_bytes = 1'000'000) {
  Found found;
  tests::as_ranks(2, [&](benchmarks::Ranks& ranks) {
    results::CheckRun run;
    Context context({.sysfs = topology::Sysfs(), .ranks = &ranks, .hosts = {"a", "b"}}, run, [](const auto&) {});
    CulpritFacts facts(context, "check");
    facts.look_at(slow(), 4e-3);
    facts.add(most_bytes, [&](int, const CulpritFacts::Amount& amount) {
      if (ranks.rank() == 0) found.asked = amount;
      return std::vector<double>(amount.exchanges, bytes / exchange_seconds);
    });
    if (ranks.rank() == 0)
      found.is_path_named = std::ranges::count(run.measurements, "check.slow_path", &results::Measurement::metric) > 0;
  });
  return found;
}

TEST(SlowPair, IsNamedWhenItExplainsHalfTheTime) { EXPECT_TRUE(found(2.1e-3).is_path_named); }

TEST(SlowPair, IsNamedWhenItAloneTakesLongerThanAllMay) { EXPECT_TRUE(found(1.1e-3).is_path_named); }

TEST(SlowPair, IsNotNamedWhenItIsFast) { EXPECT_FALSE(found(0.9e-3).is_path_named); }

TEST(SlowPair, ExchangesWhatTheCollectiveMoved) {
  EXPECT_EQ(found(1e-3).asked.bytes, 1'000'000U);
  EXPECT_EQ(found(1e-3).asked.exchanges, 25U);
  EXPECT_EQ(found(1e-3, 1000).asked.bytes, 1000U) << "or as much as it may";
}

}  // namespace
}  // namespace muster::healthcheck
