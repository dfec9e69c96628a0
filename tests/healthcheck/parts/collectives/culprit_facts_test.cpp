// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/culprit_facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/ranks/thread_ranks.hpp"
#include "tests/healthcheck/judge/judging.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;

constexpr std::size_t samples = 20;

// A collective that took 4 ms for each MB, where its profile allows 1 ms and fails 2 ms.
struct Slow {
  double bytes = 1e6;
  results::StoppingDecision decision = results::StoppingDecision::fail;
  double rate = 1e6 / 4e-3;

  Measured measured() const {
    Measured found{.labels = {{"size", "1 MB"}}, .bytes = static_cast<std::size_t>(bytes)};
    found.sum_up({.samples = {.unit = results::Unit::byte_per_second, .values = std::vector<double>(samples, rate)},
                  .stopping = {.rule = "a test", .pass_edge = 1e9, .fail_edge = 0.5e9, .decision = decision}});
    found.seconds = std::vector<double>(samples, bytes / rate);
    return found;
  }
};

struct Job {
  std::size_t hosts = 4;
  std::size_t lanes = 1;          // ranks on each
  bool have_gpus = false;         // each one of its own, with a NIC
  std::string without_nics = {};  // the host that does not tell which
  Slow collective = {};
  std::vector<Slow> others = {};  // beside it
  Deadline deadline = Deadline::max();
};

Labels place(const Job& job, const std::string& host, std::size_t lane) {
  if (!job.have_gpus) return {};
  Labels labels{{"pci", std::to_string(lane)}};
  if (host != job.without_nics) labels.emplace("nic", "mlx5_" + std::to_string(lane));
  return labels;
}

struct Found {
  std::vector<Labels> slow;  // of slow paths
  std::vector<Labels> late;  // and of late ranks
  std::vector<std::string> metrics;
  CulpritFacts::Amount asked;
  std::size_t exchanges = 0;  // of rank 0, with whomsoever
};

// What such a job finds; `seconds` tells the time of an exchange between two of its ranks, the how many-eth of the
// first one. Rank 0 enters the collective last.
Found found(const Job& job, const std::function<double(int one, int other, std::size_t nth)>& seconds) {
  Found found;
  const std::vector<std::string> all = {"a", "b", "c", "d"};
  std::vector<std::string> names;
  for (std::size_t rank = 0; rank < job.hosts * job.lanes; ++rank) names.push_back(all[rank / job.lanes]);
  benchmarks::as_ranks(names.size(), [&](benchmarks::Ranks& ranks) {
    results::CheckRun run;
    Context context({.sysfs = topology::Sysfs(), .deadline = job.deadline, .ranks = &ranks, .hosts = names}, run,
                    [](const auto&) {});
    const auto own = static_cast<std::size_t>(ranks.rank());
    CulpritFacts facts(context, "check", [&] { return place(job, names[own], own % job.lanes); });
    auto measured = job.collective.measured();
    if (ranks.rank() == 0) std::ranges::fill(measured.seconds, measured.seconds.front() / 4);
    facts.look_at({}, measured);
    for (const Slow& other : job.others) facts.look_at({}, other.measured());
    std::size_t nth = 0;
    facts.add([&](int partner, const CulpritFacts::Amount& amount) {
      if (ranks.rank() == 0) found.asked = amount;
      const auto [one, other] = std::minmax({ranks.rank(), partner});
      const double rate = static_cast<double>(amount.bytes) / seconds(one, other, nth++);
      return std::vector<double>(amount.exchanges, rate);
    });
    if (ranks.rank() != 0) return;
    for (const auto& fact : run.measurements) {
      found.metrics.push_back(fact.metric);
      if (fact.metric.ends_with("_path")) found.slow.push_back(fact.labels);
      if (fact.metric.ends_with("_rank")) found.late.push_back(fact.labels);
    }
    found.exchanges = nth;
  });
  return found;
}

using All = std::vector<Labels>;

// Of two hosts that exchange in so many seconds.
Found pair(double seconds, Slow collective = {}) {
  return found({.hosts = 2, .collective = collective}, [=](int, int, std::size_t) { return seconds; });
}

const Labels late_a{{"size", "1 MB"}, {"host", "a"}, {"rank", "0"}};

TEST(SlowPair, IsNamedWhenItAloneTakesLongerThanAllMay) { EXPECT_EQ(pair(1.1e-3).slow, (All{{{"host", "a b"}}})); }

TEST(SlowPair, IsNotNamedWhenItIsFast) {
  EXPECT_EQ(pair(0.9e-3).slow, All{});
  EXPECT_EQ(pair(0.9e-3).late, All{late_a}) << "then ranks are asked";
}

TEST(SlowPair, OfManyRanksIsAsFastAsAllOfThem) {
  const Job job{.hosts = 2, .lanes = 2};
  EXPECT_EQ(found(job, [](int, int, std::size_t) { return 0.9e-3; }).slow, All{});
  EXPECT_EQ(found(job, [](int, int, std::size_t) { return 1.1e-3; }).slow, (All{{{"host", "a b"}}}));
}

TEST(Exchange, IsOfTheLargestCollectiveThoughASmallOneIsFaster) {
  const Job job{.hosts = 2, .others = {{.bytes = 4e3, .rate = 0.26e9}, {.bytes = 1e6, .rate = 0.2e9}}};
  const auto asked = found(job, [](int, int, std::size_t) { return 1e-3; }).asked;
  EXPECT_EQ(asked.bytes, 1'000'000U);
  EXPECT_EQ(asked.exchanges, 25U);
}

TEST(Exchange, IsOfWhatEachRankHadToMove) {
  EXPECT_EQ(pair(1e-3).asked.bytes, 1'000'000U);
  EXPECT_EQ(pair(1e-3).asked.exchanges, 25U);
  const auto many = found({.hosts = 2, .lanes = 4}, [](int, int, std::size_t) { return 1e-3; });
  EXPECT_EQ(many.asked.bytes, 250'000U);
}

TEST(Exchange, IsOfAByteAtLeast) {
  const auto few =
      found({.hosts = 2, .lanes = 4, .collective = {.bytes = 2}}, [](int, int, std::size_t) { return 1e-9; });
  EXPECT_EQ(few.asked.bytes, 1U);
  EXPECT_EQ(few.slow, All{});
}

TEST(Exchange, TakesNoLongerThanSaysMore) {
  EXPECT_EQ(pair(1e-3, {.bytes = 1e9}).asked.bytes, 5'000'000U) << "20 ms at the rate of the collective";
  EXPECT_EQ(pair(1e-3, {.bytes = 1e9, .rate = 1e6}).asked.bytes, std::size_t{1} << 20) << "but a mebibyte";
}

TEST(SlowPath, IsOfTheHostWhosePairsAreAllSlow) {
  const auto clear = found({}, [](int one, int other, std::size_t) { return one == 2 || other == 2 ? 4e-3 : 0.1e-3; });
  EXPECT_EQ(clear.slow, (All{{{"host", "c"}}}));
  EXPECT_EQ(clear.late, All{}) << "which makes others late";
  EXPECT_EQ(clear.exchanges, 3U);
}

TEST(SlowPath, ThatIsHiddenAtFirstIsSeenAtASecondLook) {
  const auto hidden =
      found({}, [](int one, int other, std::size_t nth) { return nth < 3 || one == 2 || other == 2 ? 4e-3 : 0.1e-3; });
  EXPECT_EQ(hidden.slow, (All{{{"host", "c"}}}));
  EXPECT_EQ(hidden.exchanges, 6U);
}

TEST(SlowPath, ThatIsHiddenHasNoSecondLookWithoutTheTime) {
  const auto hidden = found({.deadline = std::chrono::steady_clock::now()}, [](int, int, std::size_t) { return 4e-3; });
  EXPECT_EQ(hidden.exchanges, 3U);
}

TEST(SlowPath, ThatStaysUnclearAccusesNobody) {
  const auto unclear = found({}, [](int, int, std::size_t) { return 4e-3; });
  EXPECT_EQ(unclear.slow, All{});
  EXPECT_EQ(unclear.late, All{});
}

// Of a rank, 4 ms where all others take 0.1 ms.
std::function<double(int, int, std::size_t)> slow_rank(int slow) {
  return [=](int one, int other, std::size_t) { return one == slow || other == slow ? 4e-3 : 0.1e-3; };
}

TEST(SlowWay, IsOfTheRankWithItsNic) {
  const Job job{.lanes = 2, .have_gpus = true};
  EXPECT_EQ(found(job, slow_rank(5)).slow, (All{{{"host", "c"}, {"rank", "5"}, {"pci", "1"}, {"nic", "mlx5_1"}}}));
}

TEST(SlowWay, IsOfTheHostWhereAllOfItsRanksAreSlow) {
  const Job job{.lanes = 2, .have_gpus = true};
  const auto of_host = [](int one, int other, std::size_t) { return one / 2 == 2 || other / 2 == 2 ? 4e-3 : 0.1e-3; };
  EXPECT_EQ(found(job, of_host).slow, (All{{{"host", "c"}}}));
}

TEST(SlowWay, OfTwoHostsIsOfOneOfTwoRanks) {
  const Job job{.hosts = 2, .lanes = 3, .have_gpus = true};
  EXPECT_EQ(found(job, slow_rank(4)).slow,
            (All{{{"host", "a b"}, {"rank", "1 4"}, {"pci", "1 1"}, {"nic", "mlx5_1 mlx5_1"}}}));
}

TEST(SlowWay, OfTwoHostsIsNamedByWhatBothTell) {
  const Job job{.hosts = 2, .lanes = 3, .have_gpus = true, .without_nics = "b"};
  EXPECT_EQ(found(job, slow_rank(4)).slow, (All{{{"host", "a b"}, {"rank", "1 4"}, {"pci", "1 1"}}}));
}

TEST(SlowWay, IsOfTheHostWhereRanksShareItsNic) {
  EXPECT_EQ(found({.lanes = 2}, slow_rank(5)).slow, (All{{{"host", "c"}}}));
}

TEST(LateRank, IsNamedWherePathsAreFast) {
  const auto late = found({}, [](int, int, std::size_t) { return 0.1e-3; });
  EXPECT_EQ(late.slow, All{});
  EXPECT_EQ(late.late, All{late_a});
  EXPECT_EQ(late.exchanges, 3U);
}

TEST(LateRank, IsNamedWithItsNic) {
  const auto late = found({.have_gpus = true}, [](int, int, std::size_t) { return 0.1e-3; });
  auto with_nic = late_a;
  with_nic.emplace("pci", "0");
  with_nic.emplace("nic", "mlx5_0");
  EXPECT_EQ(late.late, All{with_nic});
}

TEST(LateRank, OfOneHostIsNamedWithoutAnExchange) {
  const auto late = found({.hosts = 1, .lanes = 2}, slow_rank(0));
  EXPECT_EQ(late.late, All{late_a});
  EXPECT_EQ(late.exchanges, 0U);
}

TEST(Suspicion, IsAllThereIsBetweenTheThresholds) {
  const Job job{.collective = {.decision = results::StoppingDecision::pass, .rate = 0.7e9}};
  const auto has = [](const Found& found, std::string_view metric) {
    return std::ranges::find(found.metrics, metric) != found.metrics.end();
  };
  EXPECT_TRUE(has(found(job, slow_rank(2)), "check.suspected_path"));
  EXPECT_TRUE(has(found(job, [](int, int, std::size_t) { return 0.1e-3; }), "check.suspected_rank"));
  EXPECT_TRUE(has(found({}, slow_rank(2)), "check.slow_path"));
  EXPECT_TRUE(has(found({}, [](int, int, std::size_t) { return 0.1e-3; }), "check.late_rank"));
}

TEST(Suspicion, IsOfNobodyWhereTheRateIsGood) {
  EXPECT_EQ(
      found({.collective = {.decision = results::StoppingDecision::pass, .rate = 2e9}}, slow_rank(2)).metrics.size(),
      0U);
}

TEST(Suspicion, IsAWarningInTheGenericProfile) {
  const auto generic = read_profile(tests::source_folder() / "healthcheck/profiles/generic.json");
  for (const std::string check : {"host_allreduce", "allreduce"})
    for (const auto& [metric, fault] : {std::pair("suspected_path", "slow_path"), {"suspected_rank", "late_rank"}}) {
      auto run = disk_run({{.metric = check + "." + metric, .value = "words", .labels = {{"host", "c"}}}});
      run.check = check;
      const auto report = judge(report_of({run}), generic, faults());
      const auto verdict =
          std::ranges::find(report.checks[0].verdicts, check + "." + metric, &results::Verdict::metric);
      ASSERT_NE(verdict, report.checks[0].verdicts.end()) << check << " " << metric;
      EXPECT_EQ(verdict->status, results::Status::warn);
      EXPECT_EQ(verdict->fault, check + "_" + fault);
    }
}

}  // namespace
}  // namespace muster::healthcheck
