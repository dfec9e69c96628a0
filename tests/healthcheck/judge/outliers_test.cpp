// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/outliers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>

namespace muster::healthcheck {
namespace {

// By how much the values of healthy nodes differ, as a factor of a rate.
using Draw = std::function<double(std::mt19937_64&)>;

struct Fleet {
  std::uint32_t nodes = 0, components = 8;
  Draw draw = [](auto&) { return 1.0; };
  Better better = Better::higher;
};

std::vector<double> rates(const Fleet& fleet, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<double> all;
  for (std::uint32_t i = 0; i < fleet.nodes * fleet.components; ++i) all.push_back(2e12 * fleet.draw(random));
  return all;
}

Outliers held(const Fleet& fleet, const std::vector<double>& rates, std::optional<double> spread = {}) {
  std::vector<Cost> values;
  for (std::uint32_t i = 0; i < rates.size(); ++i)
    values.push_back(
        cost_of(fleet.better == Better::lower ? 1 / rates[i] : rates[i], fleet.better, i / fleet.components));
  return outliers(values, fleet.better, spread);
}

// "3 of 7992" for each value that is slow
std::string slow(const Outliers& found) {
  std::string text;
  for (const auto& each : found.slow) text += std::to_string(each.index) + " of " + std::to_string(each.others) + " ";
  return text;
}

Draw gaussian(double spread) {
  return [=](auto& random) { return std::normal_distribution(1.0, spread)(random); };
}

// Some take longer, and none less.
Draw slow_tail(double spread) {
  return [=](auto& random) { return 1 / (1 + std::exponential_distribution(1 / spread)(random)); };
}

Draw heavy_tails(double spread) {
  return [=](auto& random) { return std::exp(spread * std::student_t_distribution(5.0)(random)); };
}

// How often healthy values are accused, for each sweep over a fleet.
double accusations(const Fleet& fleet, unsigned sweeps) {
  std::size_t all = 0;
  for (unsigned seed = 0; seed < sweeps; ++seed) all += held(fleet, rates(fleet, seed)).slow.size();
  return static_cast<double>(all) / sweeps;
}

TEST(Outliers, OfAHealthyFleetAccuseNobodyWhateverItsShape) {
  const Draw coarse = [](auto& random) { return 1 + 0.01 * static_cast<double>(random() % 3); };
  const Draw equal = [](auto&) { return 1.0; };
  for (const auto& draw :
       {gaussian(0.002), gaussian(0.01), gaussian(0.05), slow_tail(0.01), heavy_tails(0.002), coarse, equal})
    for (unsigned seed = 0; seed < 5; ++seed) {
      const Fleet fleet{.nodes = 1000, .draw = draw};
      const auto found = held(fleet, rates(fleet, seed));
      EXPECT_TRUE(found.are_held);
      EXPECT_EQ(slow(found), "");
      EXPECT_FALSE(found.division);
    }
}

TEST(Outliers, AccuseAHealthyNodeSeldom) {
  struct Most {
    Fleet fleet;
    unsigned sweeps;
    double gaussian, slow_tail, heavy_tails;
  };
  const Most all[] = {{{.nodes = 1000}, 20, 0, 0.2, 2},
                      {{.nodes = 21, .components = 1}, 2000, 0.003, 0.03, 0.03},
                      {{.nodes = 5}, 2000, 0.003, 0.02, 0.03}};
  for (const double spread : {0.01, 0.03, 0.1})
    for (auto most : all) {
      const auto seen = [&](const Draw& draw) {
        most.fleet.draw = draw;
        return accusations(most.fleet, most.sweeps);
      };
      EXPECT_LE(seen(gaussian(spread)), most.gaussian) << most.fleet.nodes << " " << spread;
      EXPECT_LE(seen(slow_tail(spread)), most.slow_tail) << most.fleet.nodes << " " << spread;
      EXPECT_LE(seen(heavy_tails(spread)), most.heavy_tails) << most.fleet.nodes << " " << spread;
    }
}

TEST(Outliers, NameTheOneComponentThatIsSlow) {
  for (const auto better : {Better::higher, Better::lower}) {
    const Fleet fleet{.nodes = 1000, .draw = gaussian(0.005), .better = better};
    auto values = rates(fleet);
    values[139] *= 0.88;
    const auto found = held(fleet, values);
    ASSERT_EQ(slow(found), "139 of 7992 ");
    EXPECT_NEAR(found.slow[0].median, 1 / 2e12, 0.001 / 2e12);
    values[139] *= 1.4;
    EXPECT_EQ(slow(held(fleet, values)), "") << "faster is not a worse";
  }
}

TEST(Outliers, NameAWholeNodeThatIsSlow) {
  const Fleet fleet{.nodes = 6, .draw = gaussian(0.005)};
  auto values = rates(fleet);
  for (std::size_t i = 8; i < 16; ++i) values[i] *= 0.85;
  ASSERT_EQ(held(fleet, values).slow.size(), 8U);
  EXPECT_EQ(held(fleet, values).slow[0].others, 40U);
}

// Which are slow by the words of the rule, each held against those of other nodes.
std::vector<std::size_t> slow_by_rule(const std::vector<Cost>& values, Better better, double spread) {
  std::vector<std::size_t> slow;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<double> others;
    for (const auto& each : values)
      if (each.node != values[i].node) others.push_back(each.value);
    std::ranges::sort(others);
    const auto size = others.size();
    const double median = (others[(size - 1) / 2] + others[size / 2]) / 2, slow_tenth = others[size - 1 - size / 10];
    const double own = values[i].value, gap = better == Better::lower ? own / median - 1 : 1 - median / own;
    const bool is_far = gap >= std::max(0.03, 4 * spread),
               is_longer = own / median - 1 >= 8 * (slow_tenth / median - 1);
    if (is_far && is_longer) slow.push_back(i);
  }
  return slow;
}

TEST(Outliers, AreThoseOfTheRuleWhateverTheValues) {
  std::mt19937_64 random(5);
  std::size_t slow = 0;
  for (int round = 0; round < 400; ++round) {
    const auto better = round % 2 == 0 ? Better::lower : Better::higher;
    const double spread = round % 4 < 2 ? 0 : 0.01, width = std::uniform_real_distribution(0.0005, 0.005)(random);
    std::vector<Cost> values;
    for (std::uint32_t node = 0; node < 24; ++node)
      for (auto count = std::uniform_int_distribution(0, 5)(random); count > 0; --count) {
        const bool is_near_the_gap = std::bernoulli_distribution(0.05)(random);
        const double factor = is_near_the_gap ? std::uniform_real_distribution(1.02, 1.05)(random)
                                              : std::exp(width * std::student_t_distribution(1.5)(random));
        values.push_back({std::round(5000 * factor) / 5000, node});  // some are alike
      }
    const auto found = outliers(values, better, spread);
    std::vector<std::size_t> indices;
    for (const auto& each : found.slow) indices.push_back(each.index);
    EXPECT_EQ(indices, slow_by_rule(values, better, spread)) << round;
    slow += indices.size();
  }
  EXPECT_GT(slow, 100U);
}

TEST(Outliers, NeedFourOtherNodes) {
  Fleet fleet{.nodes = 4, .components = 8};
  auto values = rates(fleet);
  values[0] *= 0.5;
  EXPECT_FALSE(held(fleet, values, 0.01).are_held) << "31 others, on 3 nodes";
  EXPECT_EQ(slow(held(fleet, values, 0.01)), "");
  fleet.nodes = 5;
  values = rates(fleet);
  values[0] *= 0.5;
  EXPECT_EQ(slow(held(fleet, values)), "0 of 32 ");
}

TEST(Outliers, NeedTwentyOtherValuesWhereNoSpreadIsStated) {
  for (const std::uint32_t nodes : {5U, 20U, 21U}) {
    const Fleet fleet{.nodes = nodes, .components = 1};
    auto values = rates(fleet);
    values[2] *= 0.5;
    EXPECT_EQ(held(fleet, values).are_held, nodes == 21);
    EXPECT_EQ(slow(held(fleet, values)), nodes == 21 ? "2 of 20 " : "");
    EXPECT_EQ(slow(held(fleet, values, 0.01)), "2 of " + std::to_string(nodes - 1) + " ");
  }
}

TEST(Outliers, WantAGapOfThreePercentAndFourTimesTheStatedSpread) {
  const Fleet fleet{.nodes = 100};
  auto values = rates(fleet);
  for (const auto& [left, spread, is_slow] :
       {std::tuple(0.971, 0.0, false), std::tuple(0.969, 0.0, true), std::tuple(0.81, 0.05, false),
        std::tuple(0.79, 0.05, true), std::tuple(0.969, 0.005, true)}) {
    values[7] = 2e12 * left;
    EXPECT_EQ(held(fleet, values, spread).slow.size(), is_slow ? 1U : 0U) << left << " " << spread;
  }
}

TEST(Outliers, WantEightTimesAsMuchAsTheSlowestTenthTakesLonger) {
  const Fleet fleet{.nodes = 100, .components = 1};
  auto values = rates(fleet);
  for (std::size_t i = 0; i < 12; ++i) values[10 + i] /= 1.01;
  for (const auto& [longer, is_slow] : {std::pair(1.078, false), std::pair(1.082, true)}) {
    values[7] = 2e12 / longer;
    EXPECT_EQ(held(fleet, values).slow.size(), is_slow ? 1U : 0U) << longer;
  }
}

TEST(Outliers, FindAllBadOnesUpToATenth) {
  const Fleet fleet{.nodes = 1000, .components = 1, .draw = gaussian(0.003)};
  auto values = rates(fleet);
  for (std::size_t i = 0; i < 90; ++i) values[i * 11] *= 0.9;
  const auto found = held(fleet, values);
  EXPECT_EQ(found.slow.size(), 90U);
  EXPECT_FALSE(found.division);
}

TEST(Outliers, OfADividedFleetAccuseNobodyAndSaySo) {
  const Fleet fleet{.nodes = 1000, .draw = gaussian(0.003)};
  for (const std::size_t share : {7U, 3U, 2U}) {  // every so many nodes are slow
    auto values = rates(fleet);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i / 8 % share == 0) values[i] *= 0.9;
    const auto found = held(fleet, values);
    EXPECT_EQ(slow(found), "") << share;
    if (share == 2) continue;  // of two halves nobody knows which is right
    ASSERT_TRUE(found.division) << share;
    EXPECT_NEAR(gap(found.division->tenth, found.division->median, fleet.better), 0.1, 0.01);
  }
}

TEST(Outliers, OfRatesOfZeroAndOfNothing) {
  const Fleet fleet{.nodes = 30};
  auto values = rates(fleet);
  values[3] = 0;
  EXPECT_EQ(slow(held(fleet, values)), "3 of 232 ");
  EXPECT_EQ(slow(held(fleet, std::vector<double>(240, 0))), "");
  EXPECT_FALSE(held(fleet, {}).are_held);
}

}  // namespace
}  // namespace muster::healthcheck
