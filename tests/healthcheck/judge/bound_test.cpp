// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/bound.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace muster::healthcheck {
namespace {

using results::Interval;
using results::Measurement;
using results::Quantity;
using results::Status;
using results::Unit;

Expectation expect(BoundKind kind, double pass = 0, double fail = 0) {
  Expectation expectation;
  expectation.bound.kind = kind;
  expectation.bound.unit = Unit::byte_per_second;
  expectation.bound.pass = pass;
  expectation.bound.fail = fail;
  return expectation;
}

Expectation expect_within(Interval pass, Interval fail) {
  Expectation expectation = expect(BoundKind::within);
  expectation.bound.pass_range = pass;
  expectation.bound.fail_range = fail;
  return expectation;
}

Expectation expect_values(BoundKind kind, std::vector<results::Value> values) {
  Expectation expectation = expect(kind);
  expectation.bound.values = std::move(values);
  return expectation;
}

Measurement exact(results::Value value) { return {.metric = "c.m", .value = std::move(value)}; }

Measurement rate(double value) { return exact(Quantity{value, Unit::byte_per_second}); }

Measurement sampled(double median, std::optional<Interval> interval, std::size_t n = 20) {
  Measurement measurement = rate(median);
  measurement.summary = results::Summary{.n = n, .median = median, .median_interval = interval};
  return measurement;
}

Measurement limited(double value, double limit) {
  Measurement measurement = rate(value);
  measurement.limit = results::Limit{{limit, Unit::byte_per_second}, "DMI"};
  return measurement;
}

struct Case {
  std::string name;
  Measurement measurement;
  Expectation expectation;
  Status status;
  std::string fault = {};
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

class Hold : public testing::TestWithParam<Case> {};

TEST_P(Hold, FindsTheStatus) {
  const Assessment assessment = assess(GetParam().measurement, GetParam().expectation);
  EXPECT_EQ(assessment.status, GetParam().status) << GetParam().name << ": " << assessment.reason;
  EXPECT_EQ(assessment.fault, GetParam().fault);
  EXPECT_FALSE(assessment.reason.empty());
}

const Expectation at_least_465 = expect(BoundKind::at_least, 465e9, 440e9);
const Expectation at_most = expect(BoundKind::at_most, 10, 20);
const Expectation within = expect_within({10, 20}, {5, 25});
const Expectation efficiency = expect(BoundKind::efficiency, 0.6, 0.4);
const Expectation no_change = expect(BoundKind::no_change, 0, 1000);
const Expectation linked = expect_values(BoundKind::equals, {"LinkUp"});
const Expectation eight = expect_values(BoundKind::equals, {Quantity{8, Unit::one}});
const Expectation pages = expect_values(BoundKind::one_of, {"always", "madvise"});

INSTANTIATE_TEST_SUITE_P(
    Exact, Hold,
    testing::Values(Case{"at_least on the pass threshold", rate(465e9), at_least_465, Status::pass},
                    Case{"at_least between the thresholds", rate(464e9), at_least_465, Status::warn},
                    Case{"at_least on the fail threshold", rate(440e9), at_least_465, Status::warn},
                    Case{"at_least below", rate(439e9), at_least_465, Status::fail},
                    Case{"at_least of another unit", exact(Quantity{500e9, Unit::bit_per_second}), at_least_465,
                         Status::unknown, "measurement_unusable"},
                    Case{"at_least of a text", exact("fast"), at_least_465, Status::unknown, "measurement_unusable"},
                    Case{"at_most on the pass threshold", rate(10), at_most, Status::pass},
                    Case{"at_most between the thresholds", rate(15), at_most, Status::warn},
                    Case{"at_most on the fail threshold", rate(20), at_most, Status::warn},
                    Case{"at_most above", rate(21), at_most, Status::fail},
                    Case{"within", rate(20), within, Status::pass},
                    Case{"within the outer range, low", rate(5), within, Status::warn},
                    Case{"within the outer range, high", rate(25), within, Status::warn},
                    Case{"below both ranges", rate(4), within, Status::fail},
                    Case{"above both ranges", rate(26), within, Status::fail},
                    Case{"equals a text", exact("LinkUp"), linked, Status::pass},
                    Case{"equals another text", exact("Polling"), linked, Status::fail},
                    Case{"a number where a text is expected", rate(1), linked, Status::unknown, "measurement_unusable"},
                    Case{"equals a number", exact(Quantity{8, Unit::one}), eight, Status::pass},
                    Case{"equals another number", exact(Quantity{7, Unit::one}), eight, Status::fail},
                    Case{"equals a number of another unit", exact(Quantity{8, Unit::byte}), eight, Status::unknown,
                         "measurement_unusable"},
                    Case{"one of", exact("madvise"), pages, Status::pass},
                    Case{"none of", exact("never"), pages, Status::fail},
                    Case{"no growth", rate(0), expect(BoundKind::no_change), Status::pass},
                    Case{"growth where none may be", rate(1), expect(BoundKind::no_change), Status::fail},
                    Case{"growth between the thresholds", rate(7), no_change, Status::warn},
                    Case{"growth beyond the fail threshold", rate(1001), no_change, Status::fail},
                    Case{"growth below nothing", rate(-1), no_change, Status::unknown, "counter_unusable"},
                    Case{"growth that nobody can tell", exact("went down from 5 to 0"), no_change, Status::unknown,
                         "counter_unusable"}));

INSTANTIATE_TEST_SUITE_P(
    Limits, Hold,
    testing::Values(
        Case{"a share above the pass threshold", limited(60, 100), efficiency, Status::pass},
        Case{"a share between the thresholds", limited(59, 100), efficiency, Status::warn},
        Case{"a share below the fail threshold", limited(39, 100), efficiency, Status::fail},
        Case{"a share without a limit", rate(99), efficiency, Status::skip},
        Case{"all of the limit", limited(100, 100), efficiency, Status::pass},
        Case{"more than the limit, efficiency", limited(101, 100), efficiency, Status::unknown,
             "measurement_impossible"},
        Case{"more than the limit, at_least", limited(812e9, 450e9), at_least_465, Status::unknown,
             "measurement_impossible"},
        Case{"more than the limit, at_most", limited(9, 8), at_most, Status::unknown, "measurement_impossible"},
        Case{"more than the limit, within", limited(15, 14), within, Status::unknown, "measurement_impossible"},
        Case{"more than the limit, equals", limited(15, 14), eight, Status::unknown, "measurement_impossible"},
        Case{"more than the limit, no_change", limited(15, 14), no_change, Status::unknown, "measurement_impossible"}));

INSTANTIATE_TEST_SUITE_P(
    Intervals, Hold,
    testing::Values(
        Case{"wholly above the pass threshold", sampled(470e9, Interval{465e9, 480e9}), at_least_465, Status::pass},
        Case{"across the pass threshold", sampled(470e9, Interval{460e9, 480e9}), at_least_465, Status::warn},
        Case{"across the fail threshold", sampled(441e9, Interval{439e9, 450e9}), at_least_465, Status::unknown,
             "inconclusive"},
        Case{"across both thresholds", sampled(470e9, Interval{430e9, 480e9}), at_least_465, Status::unknown,
             "inconclusive"},
        Case{"wholly below the fail threshold", sampled(430e9, Interval{420e9, 439e9}), at_least_465, Status::fail},
        Case{"no interval", sampled(999e9, std::nullopt, 5), at_least_465, Status::unknown, "too_few_samples"},
        Case{"wholly below, at_most", sampled(9, Interval{8, 10}), at_most, Status::pass},
        Case{"across the pass threshold, at_most", sampled(9, Interval{8, 11}), at_most, Status::warn},
        Case{"across the fail threshold, at_most", sampled(19, Interval{18, 21}), at_most, Status::unknown,
             "inconclusive"},
        Case{"wholly above, at_most", sampled(22, Interval{21, 23}), at_most, Status::fail},
        Case{"inside, within", sampled(15, Interval{10, 20}), within, Status::pass},
        Case{"across the inner threshold, within", sampled(11, Interval{9, 12}), within, Status::warn},
        Case{"across the outer threshold, within", sampled(24, Interval{23, 26}), within, Status::unknown,
             "inconclusive"},
        Case{"outside, within", sampled(30, Interval{26, 40}), within, Status::fail}));

Measurement decided(double median, double pass_edge, double fail_edge, results::StoppingDecision decision) {
  Measurement measurement = sampled(median, Interval{430e9, 480e9});
  measurement.stopping = results::Stopping{
      .rule = "clipped sequential test", .pass_edge = pass_edge, .fail_edge = fail_edge, .n = 7, .decision = decision};
  return measurement;
}

Measurement decided_share(double limit) {
  Measurement measurement = decided(70, 60, 40, results::StoppingDecision::fail);
  measurement.limit = results::Limit{{limit, Unit::byte_per_second}, "DMI"};
  measurement.summary.reset();
  return measurement;
}

INSTANTIATE_TEST_SUITE_P(
    Decisions, Hold,
    testing::Values(Case{"passed by the same thresholds", decided(466e9, 465e9, 440e9, results::StoppingDecision::pass),
                         at_least_465, Status::pass},
                    Case{"passed by the same thresholds, and between them",
                         decided(450e9, 465e9, 440e9, results::StoppingDecision::pass), at_least_465, Status::warn},
                    Case{"failed by the same thresholds", decided(441e9, 465e9, 440e9, results::StoppingDecision::fail),
                         at_least_465, Status::fail},
                    Case{"inconclusive by the same thresholds",
                         decided(450e9, 465e9, 440e9, results::StoppingDecision::inconclusive), at_least_465,
                         Status::unknown, "inconclusive"},
                    Case{"thresholds that went through a text",
                         decided(466e9, 465e9 * (1 + 1e-12), 440e9, results::StoppingDecision::pass), at_least_465,
                         Status::pass},
                    Case{"another pass threshold", decided(466e9, 460e9, 440e9, results::StoppingDecision::pass),
                         at_least_465, Status::unknown, "inconclusive"},
                    Case{"another fail threshold", decided(466e9, 465e9, 430e9, results::StoppingDecision::pass),
                         at_least_465, Status::unknown, "inconclusive"},
                    Case{"precise only", decided(466e9, 465e9, 440e9, results::StoppingDecision::precise), at_least_465,
                         Status::unknown, "inconclusive"},
                    Case{"thresholds as shares of the limit", decided_share(100), efficiency, Status::fail},
                    Case{"thresholds as shares of another limit", decided_share(80), efficiency, Status::pass},
                    Case{"an impossible number that a rule passed",
                         [] {
                           auto measurement = decided(812e9, 465e9, 440e9, results::StoppingDecision::pass);
                           measurement.limit = results::Limit{{450e9, Unit::byte_per_second}, "NVLink"};
                           return measurement;
                         }(),
                         at_least_465, Status::unknown, "measurement_impossible"}));

TEST(HoldReason, NamesValueThresholdAndGap) {
  EXPECT_EQ(assess(rate(371e9), at_least_465).reason, "371 GB/s is 16 % below 440 GB/s");
  EXPECT_EQ(assess(rate(450e9), at_least_465).reason, "450 GB/s is 3.2 % below 465 GB/s");
  EXPECT_EQ(assess(limited(812e9, 450e9), at_least_465).reason, "impossible: 812 GB/s of 450 GB/s");
  EXPECT_EQ(assess(exact("Polling"), linked).reason, "Polling instead of LinkUp");
  EXPECT_EQ(assess(exact("its log could not be read"), linked).reason, "its log could not be read");
  EXPECT_EQ(assess(rate(1), efficiency).reason, "no physical limit is known here: a fact without a verdict");
  EXPECT_EQ(assess(sampled(441e9, Interval{439e9, 450e9}), at_least_465).reason,
            "inconclusive: the median lies anywhere from 439 GB/s to 450 GB/s, on both sides of the fail threshold");
}

TEST(HoldDelta, AllowsNoGrowthUnlessTold) {
  EXPECT_EQ(assess(results::Delta{.before = 5, .after = 5}, expect(BoundKind::no_change)).status, Status::pass);
  EXPECT_EQ(assess(results::Delta{.before = 5, .after = 6}, expect(BoundKind::no_change)).status, Status::fail);
  EXPECT_EQ(assess(results::Delta{.before = 5, .after = 6}, no_change).status, Status::warn);
  EXPECT_EQ(assess(results::Delta{.before = 5, .after = 1006}, no_change).status, Status::fail);
}

TEST(HoldDelta, ACounterThatWentDownIsUnknown) {
  const auto assessment = assess(results::Delta{.before = 5, .after = 0}, expect(BoundKind::no_change));
  EXPECT_EQ(assessment.status, Status::unknown);
  EXPECT_EQ(assessment.fault, "counter_unusable");
}

TEST(HoldDelta, ACounterThatIsFullIsAWarning) {
  const results::Delta full{.metric = "infiniband.link_downed", .before = 255, .after = 255};
  const auto assessment = assess(full, expect(BoundKind::no_change));
  EXPECT_EQ(assessment.status, Status::warn);
  EXPECT_EQ(assessment.fault, "counter_full");
}

TEST(HoldDelta, ACounterThatBecameFullGrew) {
  const results::Delta filled{.metric = "infiniband.link_downed", .before = 250, .after = 255};
  EXPECT_EQ(assess(filled, expect(BoundKind::no_change)).status, Status::fail);
}

TEST(ExpectationText, SaysEveryKindOfBound) {
  EXPECT_EQ(to_text(at_least_465), "at least 465 GB/s (fails below 440 GB/s)");
  EXPECT_EQ(to_text(at_least_465, Status::warn), "at least 465 GB/s (warns below 440 GB/s)");
  EXPECT_EQ(to_text(at_least_465, Status::unknown), "at least 465 GB/s (is unknown below 440 GB/s)");
  EXPECT_EQ(to_text(expect(BoundKind::at_least, 4e11, 4e11)), "at least 400 GB/s");
  EXPECT_EQ(to_text(at_most), "at most 10 B/s (fails above 20 B/s)");
  EXPECT_EQ(to_text(within), "within 10 B/s to 20 B/s (fails outside 5 B/s to 25 B/s)");
  EXPECT_EQ(to_text(linked), "LinkUp");
  EXPECT_EQ(to_text(pages), "always or madvise");
  EXPECT_EQ(to_text(efficiency), "at least 60 % of the physical limit (fails below 40 %)");
  EXPECT_EQ(to_text(expect(BoundKind::peers)), "like its peers");
  EXPECT_EQ(to_text(expect(BoundKind::majority)), "as most of its peers");
  auto good = expect(BoundKind::majority);
  good.bound.values = {"ACTIVE"};
  EXPECT_EQ(to_text(good), "ACTIVE where any peer is, else as most of its peers");
  EXPECT_EQ(to_text(expect(BoundKind::no_change)), "no growth");
}

}  // namespace
}  // namespace muster::healthcheck
