// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/outliers.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "healthcheck/judge/peers.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t min_values = 20;  // of theirs, where nothing else tells how far healthy ones are apart
constexpr double tenth_factor = 8;

// Slowest first, without some of them.
class Others {
 public:
  explicit Others(std::span<const double> all, std::span<const double> left_out = {})
      : all_(all), left_out_(left_out) {}

  std::size_t size() const { return all_.size() - left_out_.size(); }

  double operator[](std::size_t index) const {
    for (const double each : left_out_) index += each >= all_[index] ? 1 : 0;
    return all_[index];
  }

  double median() const { return ((*this)[(size() - 1) / 2] + (*this)[size() / 2]) / 2; }
  double slow_tenth() const { return (*this)[size() / 10]; }
  double fast_tenth() const { return (*this)[size() - 1 - size() / 10]; }

 private:
  std::span<const double> all_, left_out_;
};

std::vector<double> sorted(std::span<const Cost> values) {
  std::vector<double> all;
  all.reserve(values.size());
  for (const auto& each : values) all.push_back(each.value);
  std::ranges::sort(all, std::greater{});
  return all;
}

// The least that the median of the others can be, whichever values they leave out.
double min_median(std::span<const double> all, std::size_t left_out) {
  return all[(all.size() - left_out) / 2 + left_out];
}

// How much longer it takes, as a share.
double excess(double slowness, double median) { return slowness / median - 1; }

bool is_apart(double slowness, double median, double most, double healthy_excess, Better better) {
  return gap(slowness, median, better) >= most && excess(slowness, median) >= tenth_factor * healthy_excess;
}

}  // namespace

Cost cost_of(double value, Better better, std::uint32_t node) {
  if (better == Better::lower) return {value, node};
  return {value > 0 ? 1 / value : std::numeric_limits<double>::infinity(), node};
}

double gap(double slowness, double other, Better better) {
  return better == Better::lower ? excess(slowness, other) : 1 - other / slowness;
}

Outliers outliers(std::span<const Cost> values, Better better, std::optional<double> spread) {
  const double most = min_peer_gap(spread.value_or(0));
  Outliers found{.sorted = sorted(values)};
  const auto& all = found.sorted;
  for (std::size_t i = 0; i < values.size(); ++i) found.nodes += i == 0 || values[i].node != values[i - 1].node ? 1 : 0;
  if (found.nodes <= min_other_peers) return found;
  for (std::size_t first = 0, last = 0; first < values.size(); first = last) {
    while (last < values.size() && values[last].node == values[first].node) ++last;
    const auto ours = values.subspan(first, last - first);
    if (!spread && all.size() - ours.size() < min_values) continue;
    found.are_held = true;
    const double slowest = std::ranges::max(ours, {}, &Cost::value).value, least = min_median(all, ours.size());
    if (least > 0 && gap(slowest, least, better) < most) continue;  // most nodes
    const auto own = sorted(ours);
    const Others others(all, own);
    const double median = others.median(), healthy = excess(others.slow_tenth(), median);
    for (auto i = first; i < last; ++i)
      if (is_apart(values[i].value, median, most, healthy, better)) found.slow.push_back({i, median, others.size()});
  }
  const Others whole(all);
  const double median = whole.median();
  if (found.are_held && is_apart(whole.slow_tenth(), median, most, excess(median, whole.fast_tenth()), better))
    found.division = {whole.slow_tenth(), median};
  return found;
}

}  // namespace muster::healthcheck
