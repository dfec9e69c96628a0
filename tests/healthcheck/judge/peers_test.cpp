// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/peers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Status;

std::vector<Quantity> rates(const std::vector<double>& values) {
  std::vector<Quantity> quantities;
  for (const double value : values) quantities.push_back({value, results::Unit::byte_per_second});
  return quantities;
}

std::vector<Status> statuses(const std::vector<Assessment>& assessments) {
  std::vector<Status> list;
  for (const auto& assessment : assessments) list.push_back(assessment.status);
  return list;
}

Expectation peers(std::optional<double> noise = 0.01) {
  Expectation expectation;
  expectation.bound.kind = BoundKind::peers;
  expectation.noise = noise;
  expectation.better = Better::higher;
  return expectation;
}

const auto healthy_rates = rates({100, 101, 99, 100.5, 99.5});
const auto one_slow = rates({100, 101, 99, 100.5, 80});

constexpr auto pass = Status::pass;

TEST(Peers, HealthyOnesAccuseNobody) {
  EXPECT_EQ(statuses(assess_peers(healthy_rates, {}, peers())), std::vector(5, pass));
}

TEST(Peers, ASlowOneFailsWhenASecondLookSeesItAgain) {
  const auto assessments = assess_peers(one_slow, one_slow, peers());
  EXPECT_EQ(statuses(assessments), (std::vector{pass, pass, pass, pass, Status::fail}));
  EXPECT_EQ(assessments[4].reason,
            "80 B/s is 20 % below the median 100 B/s of its 4 peers, and 20 % in a second measurement");
}

TEST(Peers, ASlowOneIsAWarningUntilTheSecondLook) {
  EXPECT_EQ(statuses(assess_peers(one_slow, {}, peers())), (std::vector{pass, pass, pass, pass, Status::warn}));
  EXPECT_EQ(statuses(assess_peers(one_slow, healthy_rates, peers())),
            (std::vector{pass, pass, pass, pass, Status::warn}));
}

TEST(Peers, ASlowOneIsAWarningWhereNoHealthySpreadIsStated) {
  EXPECT_EQ(assess_peers(one_slow, one_slow, peers(std::nullopt))[4].status, Status::warn);
}

TEST(Peers, FewerThanFourOthersAccuseNobody) {
  const auto assessments = assess_peers(rates({100, 100, 100, 10}), rates({100, 100, 100, 10}), peers());
  EXPECT_EQ(statuses(assessments), std::vector(4, Status::skip));
  EXPECT_EQ(assessments[0].reason, "too few peers: 3 of 4 others");
}

TEST(Peers, EqualPeersDoNotMakeASmallGapAnOutlier) {
  const auto values = rates({100, 100, 100, 100, 98});
  EXPECT_EQ(assess_peers(values, values, peers(0.001))[4].status, pass) << "2 % are less than 3 %";
  const auto lower = rates({100, 100, 100, 100, 96});
  EXPECT_EQ(assess_peers(lower, lower, peers(0.001))[4].status, Status::fail);
}

TEST(Peers, TheGapMustBeFourTimesTheHealthySpread) {
  const auto values = rates({100, 100, 100, 100, 90});
  EXPECT_EQ(assess_peers(values, values, peers(0.03))[4].status, pass) << "10 % are less than 12 %";
  EXPECT_EQ(assess_peers(values, values, peers(0.02))[4].status, Status::fail);
}

TEST(Peers, AGapWithinTheSpreadOfTheOthersIsNoOutlier) {
  const auto values = rates({100, 120, 80, 110, 90, 75});
  EXPECT_EQ(assess_peers(values, values, peers())[5].status, pass);
}

TEST(Peers, ADeadOneStandsApartFromNoisyPeersToo) {
  for (const double dead : {0.0, 1.0}) {
    const auto values = rates({363, 255, 490, 297, dead});
    EXPECT_EQ(assess_peers(values, values, peers(0.2))[4].status, Status::fail) << dead;
  }
}

TEST(Peers, AFasterOneIsNoFaultButALaterOneIs) {
  const auto more = rates({1, 1, 1, 1, 1.5});
  const auto less = rates({1, 1, 1, 1, 0.5});
  EXPECT_EQ(assess_peers(more, more, peers())[4].status, pass);
  auto of_times = peers();
  of_times.better = Better::lower;
  EXPECT_EQ(assess_peers(more, more, of_times)[4].status, Status::fail);
  EXPECT_EQ(assess_peers(less, less, of_times)[4].status, pass);
}

TEST(Peers, NobodyIsAccusedWhereNobodyKnowsWhichIsBetter) {
  auto unknown = peers();
  unknown.better.reset();
  EXPECT_EQ(statuses(assess_peers(one_slow, one_slow, unknown)), std::vector(5, Status::skip));
}

TEST(Peers, ZerosDoNotDivide) {
  EXPECT_EQ(statuses(assess_peers(rates({0, 0, 0, 0, 0}), {}, peers())), std::vector(5, pass));
  EXPECT_EQ(assess_peers(rates({100, 100, 100, 100, 0}), {}, peers())[4].status, Status::warn);
}

TEST(Majority, NamesTheMinority) {
  const std::vector<results::Value> values = {"28.39", "28.39", "28.36"};
  const auto assessments = assess_majority(values, {});
  EXPECT_EQ(statuses(assessments), (std::vector{pass, pass, Status::fail}));
  EXPECT_EQ(assessments[2].reason, "28.36 instead of 28.39, which 2 of 3 peers have");
}

TEST(Majority, TwoThatDifferAccuseNobody) {
  EXPECT_EQ(statuses(assess_majority(std::vector<results::Value>{"a", "b"}, {})), std::vector(2, Status::skip));
}

TEST(Majority, MostAreAccusedWhereSomeHaveAGoodValue) {
  Expectation expectation;
  expectation.bound.values = {"ACTIVE"};
  const std::vector<results::Value> values = {"DOWN", "DOWN", "DOWN", "ACTIVE", "INIT"};
  const auto assessments = assess_majority(values, expectation);
  EXPECT_EQ(statuses(assessments), (std::vector{Status::fail, Status::fail, Status::fail, pass, Status::fail}));
  EXPECT_EQ(assessments[0].reason, "DOWN instead of ACTIVE, which 1 of 5 peers have");
  EXPECT_EQ(statuses(assess_majority(std::vector<results::Value>(3, "DOWN"), expectation)), std::vector(3, pass))
      << "nothing tells that they are used";
}

TEST(Majority, MostAreAccusedWhereOneHasMoreOfWhatMoreIsBetter) {
  std::vector<results::Value> values;
  for (const auto& rate : rates({200e9, 200e9, 200e9, 400e9, 100e9})) values.emplace_back(rate);
  Expectation expectation;
  const std::vector dissenters{pass, pass, pass, Status::fail, Status::fail};
  EXPECT_EQ(statuses(assess_majority(values, expectation)), dissenters);
  expectation.better = Better::lower;
  EXPECT_EQ(statuses(assess_majority(values, expectation)), dissenters) << "one without errors accuses nobody";
  expectation.better = Better::higher;
  EXPECT_EQ(statuses(assess_majority(values, expectation)),
            (std::vector{Status::fail, Status::fail, Status::fail, pass, Status::fail}));
}

TEST(Majority, AnEvenSplitAccusesNobody) {
  EXPECT_EQ(statuses(assess_majority(std::vector<results::Value>{"a", "a", "b", "b"}, {})),
            std::vector(4, Status::skip));
  EXPECT_EQ(statuses(assess_majority(std::vector<results::Value>{"a", "b", "c"}, {})), std::vector(3, Status::skip));
}

TEST(Kind, IsWhatRemainsWithoutTheComponent) {
  EXPECT_EQ(kind_of({{"gpu", "3"}, {"host", "a"}, {"kernel", "triad"}}), (results::Labels{{"kernel", "triad"}}));
  EXPECT_EQ(kind_of({{"numa", "all"}, {"kernel", "triad"}}), (results::Labels{{"kernel", "triad"}, {"numa", "all"}}));
}

}  // namespace
}  // namespace muster::healthcheck
