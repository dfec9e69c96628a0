// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "healthcheck/judge/judge.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using results::Outcome;
using results::Quantity;
using results::Report;
using results::Status;
using results::Unit;
using results::Verdict;

constexpr int cases = 2000;

// Random profiles and reports over few names, so that they meet.
class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}

  int below(int end) { return std::uniform_int_distribution(0, end - 1)(random_); }
  bool one_in(int number) { return below(number) == 0; }
  std::string name(std::string_view prefix, int kinds) { return std::string(prefix) + std::to_string(below(kinds)); }

  results::Value value() {
    if (one_in(4)) return name("text", 2);
    return Quantity{static_cast<double>(below(12)), one_in(6) ? Unit::second : Unit::byte_per_second};
  }

  results::Measurement measurement(const std::string& check) {
    results::Measurement made{.metric = name(check + ".m", 3), .value = value()};
    if (one_in(2)) made.labels["drive"] = std::to_string(below(6));
    if (one_in(3)) made.limit = results::Limit{{static_cast<double>(1 + below(12)), Unit::byte_per_second}, "limit"};
    if (one_in(3)) add_samples(made);
    return made;
  }

  results::CheckRun run() {
    results::CheckRun made;
    made.check = name("check", 3);
    made.host = name("host", 2);
    made.attempt = one_in(5) ? 2 : 1;
    made.outcome = one_in(3) ? static_cast<Outcome>(below(12)) : Outcome::finished;
    if (one_in(3)) made.component["drive"] = std::to_string(below(3));
    for (int i = below(6); i > 0; --i) made.measurements.push_back(measurement(made.check));
    if (one_in(3))
      made.evidence.push_back({"errors", {}, static_cast<double>(below(3)), static_cast<double>(below(4))});
    return made;
  }

  Report report() {
    Report made;
    made.selection.tier = static_cast<results::Tier>(below(3));
    if (one_in(4)) made.selection.skip = {name("check", 3)};
    for (int i = below(3); i > 0; --i) made.hosts.push_back({.name = "host" + std::to_string(i), .fingerprint = {}});
    for (int i = below(6); i > 0; --i) made.checks.push_back(run());
    return made;
  }

  Expectation expectation(const Faults& faults) {
    Expectation made;
    made.check = name("check", 4);
    made.metric = name(made.check + ".m", 3);
    made.bound = bound();
    if (one_in(6)) {
      made.check.clear();
      made.metric = "errors";
      made.bound.kind = BoundKind::no_change;
    }
    if (one_in(4)) made.labels["drive"] = std::to_string(below(3));
    made.tier = static_cast<results::Tier>(below(3));
    if (one_in(3)) made.severity = Status::warn;
    if (one_in(2)) made.noise = 0.01;
    if (one_in(3)) made.count = static_cast<std::size_t>(1 + below(4));
    made.optional = one_in(3);
    made.fault = faults.all()[static_cast<std::size_t>(below(static_cast<int>(faults.all().size())))].code;
    made.source = "source";
    made.date = "2026-11-21";
    return made;
  }

  Profile profile(const Faults& faults) {
    Profile made;
    made.name = "random";
    for (int i = below(6); i > 0; --i) {
      auto one = expectation(faults);
      const auto subject = [](const Expectation& each) {
        return std::tie(each.check, each.metric, each.labels, each.bound.kind);
      };
      if (std::ranges::none_of(made.expectations,
                               [&](const Expectation& other) { return subject(one) == subject(other); }))
        made.expectations.push_back(std::move(one));
    }
    return made;
  }

  template <typename List>
  void shuffle(List& list) {
    std::ranges::shuffle(list, random_);
  }

 private:
  void add_samples(results::Measurement& made) {
    const auto* quantity = std::get_if<Quantity>(&made.value);
    if (quantity == nullptr) return;
    made.summary = results::Summary{.n = static_cast<std::size_t>(1 + below(20)), .median = quantity->value};
    if (made.summary->n >= 6) made.summary->median_interval = {quantity->value - below(3), quantity->value + below(3)};
  }

  Bound bound() {
    Bound made;
    made.kind = static_cast<BoundKind>(below(9));
    made.unit = Unit::byte_per_second;
    const double low = below(8);
    const double high = low + below(5);
    const bool higher_is_better = made.kind == BoundKind::at_least;
    made.pass = higher_is_better ? high : low;
    made.fail = higher_is_better ? low : high;
    if (made.kind == BoundKind::efficiency) made.pass = 0.8, made.fail = 0.5;
    made.pass_range = {low, high};
    made.fail_range = {low - 1, high + 1};
    made.values = {value()};
    return made;
  }

  std::mt19937 random_;
};

class JudgeProperties : public testing::Test {
 protected:
  // Calls `hold(chance, report, profile)` for many random pairs.
  template <typename Hold>
  void for_all(Hold hold) {
    for (unsigned seed = 0; seed < cases && !HasFailure(); ++seed) {
      SCOPED_TRACE(seed);
      Chance chance(seed);
      const auto report = chance.report();
      hold(chance, report, chance.profile(faults_));
    }
  }

  const Faults faults_{tests::source_folder() / "healthcheck" / "faults.json"};
};

bool came_to_its_end(Outcome outcome) {
  return outcome == Outcome::finished || outcome == Outcome::skipped || outcome == Outcome::not_built;
}

TEST_F(JudgeProperties, NothingUnmeasuredIsEverPass) {
  for_all([&](Chance&, const Report& report, const Profile& profile) {
    for (const auto& run : judge(report, profile, faults_).checks) {
      for (const auto& verdict : run.verdicts)
        EXPECT_TRUE(verdict.status != Status::pass || verdict.value) << verdict.metric << ": " << verdict.reason;
      EXPECT_TRUE(run.status != Status::pass || came_to_its_end(run.outcome)) << run.check;
      EXPECT_TRUE(run.status != Status::pass || !run.measurements.empty()) << run.check;
    }
  });
}

bool is_judged(const Report& report, const std::string& metric, const std::string& host) {
  return std::ranges::any_of(report.checks, [&](const results::CheckRun& run) {
    return run.host == host && std::ranges::count(run.verdicts, metric, &Verdict::metric) > 0;
  });
}

TEST_F(JudgeProperties, EveryExpectationHasAVerdictOnEveryHost) {
  for_all([&](Chance&, const Report& report, const Profile& profile) {
    const auto judged = judge(report, profile, faults_);
    for (const auto& expectation : profile.expectations)
      for (const auto& host : report.hosts)
        EXPECT_TRUE(expectation.check.empty() || is_judged(judged, expectation.metric, host.name))
            << expectation.metric << " on " << host.name;
  });
}

TEST_F(JudgeProperties, EveryBadVerdictHasAFaultOfTheTableAReasonAndAnAction) {
  for_all([&](Chance&, const Report& report, const Profile& profile) {
    for (const auto& run : judge(report, profile, faults_).checks)
      for (const auto& verdict : run.verdicts) {
        EXPECT_FALSE(verdict.reason.empty());
        const bool good = verdict.status == Status::pass || verdict.status == Status::skip;
        EXPECT_EQ(verdict.fault.empty(), good) << verdict.reason;
        EXPECT_EQ(verdict.action.empty(), good) << verdict.reason;
        EXPECT_TRUE(good || faults_.find(verdict.fault) != nullptr) << verdict.fault;
      }
  });
}

TEST_F(JudgeProperties, JudgingAgainChangesNothing) {
  for_all([&](Chance&, const Report& report, const Profile& profile) {
    const auto once = judge(report, profile, faults_);
    EXPECT_EQ(judge(once, profile, faults_), once);
  });
}

TEST_F(JudgeProperties, AnOlderJudgementLeavesNoTrace) {
  for_all([&](Chance& chance, const Report& report, const Profile& profile) {
    const auto older = judge(report, chance.profile(faults_), faults_);
    EXPECT_EQ(judge(older, profile, faults_), judge(report, profile, faults_));
  });
}

std::vector<std::string> sorted_reasons(const results::CheckRun& run) {
  std::vector<std::string> reasons;
  for (const auto& verdict : run.verdicts)
    reasons.push_back(verdict.metric + results::to_text(verdict.labels) +
                      std::string(results::to_text(verdict.status)) + verdict.reason);
  std::ranges::sort(reasons);
  return reasons;
}

TEST_F(JudgeProperties, TheOrderOfFactsDoesNotMatter) {
  for_all([&](Chance& chance, const Report& report, const Profile& profile) {
    auto shuffled = report;
    for (auto& run : shuffled.checks) {
      chance.shuffle(run.measurements);
      chance.shuffle(run.evidence);
    }
    const auto one = judge(report, profile, faults_);
    const auto other = judge(shuffled, profile, faults_);
    EXPECT_EQ(one.status, other.status);
    for (std::size_t i = 0; i < one.checks.size(); ++i)
      EXPECT_EQ(sorted_reasons(one.checks[i]), sorted_reasons(other.checks[i]));
  });
}

TEST_F(JudgeProperties, AFailingFactNeverImprovesTheStatus) {
  for_all([&](Chance& chance, const Report& report, const Profile& profile) {
    if (report.checks.empty()) return;
    auto wanted = profile;
    auto expectation = chance.expectation(faults_);
    expectation.check = report.checks[0].check;
    expectation.metric = expectation.check + ".own";
    expectation.bound.kind = BoundKind::equals;
    expectation.bound.values = {"good"};
    expectation.labels.clear();
    expectation.count
        .reset();  // a bad fact more may complete a count, and missing facts are worse than a mild violation
    wanted.expectations.push_back(expectation);
    auto worse = report;
    worse.checks[0].measurements.push_back({.metric = expectation.metric, .value = "good"});
    const auto good = judge(worse, wanted, faults_);
    worse.checks[0].measurements.push_back({.metric = expectation.metric, .value = "bad"});
    const auto bad = judge(worse, wanted, faults_);
    EXPECT_GE(bad.status, good.status);
    EXPECT_GE(bad.checks[0].status, good.checks[0].status);
  });
}

TEST_F(JudgeProperties, TheReportIsAsBadAsItsWorstRun) {
  for_all([&](Chance&, const Report& report, const Profile& profile) {
    const auto judged = judge(report, profile, faults_);
    for (const auto& run : judged.checks) {
      EXPECT_GE(judged.status, run.status);
      EXPECT_EQ(run.status, results::worst(run.verdicts));
    }
    EXPECT_FALSE(judged.summary.empty());
  });
}

}  // namespace
}  // namespace muster::healthcheck
