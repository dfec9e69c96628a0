// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/stopping.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace muster::benchmarks {
namespace {

constexpr double clip = 1;
constexpr double pass_at = 7;      // ln((1 - 1e-4) / 1e-3) = 6.91, up to whole steps of the clip
constexpr double fail_at = -9.21;  // ln(1e-4 / (1 - 1e-3))

constexpr std::size_t batch = 5;
constexpr double pass_wealth = 2000;  // 1 / 1e-3, twice for what resemblance is left between batches
constexpr double fail_wealth = 10000;

constexpr double min_gap = 2;
constexpr double min_gap_with_bursts = 3;

// Below 0 where less is better.
double gap(Thresholds thresholds) { return std::log(thresholds.pass / thresholds.fail); }

std::variant<Confirmed<ClippedTest>, Confirmed<SignTest>> chosen(Thresholds thresholds, std::optional<double> noise,
                                                                 bool bursts) {
  constexpr double rounding = 1e-9;
  if (noise && std::abs(gap(thresholds)) >= (bursts ? min_gap_with_bursts : min_gap) * *noise * (1 - rounding))
    return Confirmed(ClippedTest(thresholds, *noise));
  return Confirmed(SignTest(thresholds));
}

}  // namespace

ClippedTest::ClippedTest(Thresholds thresholds, double noise)
    : slope_(gap(thresholds) / (noise * noise)), middle_(std::log(thresholds.pass * thresholds.fail) / 2) {}

Decision ClippedTest::add(double rate) {
  sum_ += std::clamp(slope_ * (std::log(rate) - middle_), -clip, clip);
  if (sum_ >= pass_at) return Decision::pass;
  return sum_ <= fail_at ? Decision::fail : Decision::undecided;
}

double SignTest::bet(Wealth& wealth, bool won) {
  for (std::size_t index = 0; index < stakes.size(); ++index)
    wealth[index] *= won ? 1 + stakes[index] : 1 - stakes[index];
  return std::accumulate(wealth.begin(), wealth.end(), 0.0) / static_cast<double>(stakes.size());
}

Decision SignTest::add(double rate) {
  batch_.push_back(rate);
  if (batch_.size() < batch) return Decision::undecided;
  const auto middle = batch_.begin() + batch / 2;
  std::ranges::nth_element(batch_, middle);
  const double median = *middle;
  batch_.clear();
  const double good = bet(good_, !thresholds_.is_bad(median));
  const double bad = bet(bad_, !thresholds_.is_good(median));
  if (good >= pass_wealth) return Decision::pass;
  return bad >= fail_wealth ? Decision::fail : Decision::undecided;
}

SequentialTest::SequentialTest(Thresholds thresholds, std::optional<double> noise, bool bursts)
    : test_(chosen(thresholds, noise, bursts)) {}

Decision SequentialTest::add(double rate, std::chrono::steady_clock::time_point at) {
  return std::visit([&](auto& test) { return test.add(rate, at); }, test_);
}

std::string_view SequentialTest::rule() const {
  return std::holds_alternative<Confirmed<ClippedTest>>(test_) ? "clipped sequential test" : "sign test";
}

}  // namespace muster::benchmarks
