// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/collective_facts.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Unit;

constexpr double outlier = 1.5;  // times the median; what the median hides, and jobs feel

// The rates of groups in some samples of every rank: a group's sample is that of its slowest rank.
std::map<int, std::vector<double>> group_rates(const std::vector<std::vector<double>>& seconds,
                                               const Measured& measured) {
  std::map<int, std::vector<double>> groups;
  for (std::size_t rank = 0; rank < seconds.size(); ++rank) {
    auto& slowest = groups[measured.groups[rank]];
    slowest.resize(seconds[rank].size());
    std::ranges::transform(slowest, seconds[rank], slowest.begin(),
                           [](double one, double other) { return std::max(one, other); });
  }
  for (auto& [group, values] : groups)
    for (double& value : values) value = measured.work() / value;
  return groups;
}

}  // namespace

void Measured::sum_up(benchmarks::Sampled sampled) {
  stopping = std::move(sampled.stopping);
  warm_up = sampled.warm_up;
  auto& values = sampled.samples.values;
  std::ranges::sort(values);
  rate = results::summarize_sorted(values);
  for (double& value : values) value = work() / value;
  std::ranges::reverse(values);
  time = results::summarize_sorted(values);
  outliers = results::share_above(values, outlier * time.median);
}

results::Labels labels_of(const benchmarks::Collective& collective) {
  results::Labels labels{{"operation", std::string(to_text(collective.operation))},
                         {"type", std::string(to_text(collective.type))},
                         {"placement", collective.in_place ? "in-place" : "out-of-place"}};
  if (reduces(collective.operation)) labels.emplace("reduce", to_text(collective.reduction));
  return labels;
}

std::string CollectiveFacts::rate_metric() const {
  return metric(context_.ranks().size() == 1 ? "algorithm_bandwidth" : "bus_bandwidth");
}

void CollectiveFacts::add(const Measured& measured) {
  context_.add({.metric = rate_metric(),
                .value = Quantity{measured.rate.median, Unit::byte_per_second},
                .labels = measured.labels,
                .summary = measured.rate,
                .stopping = measured.stopping,
                .limit = measured.limit});
  context_.add({.metric = metric("time"),
                .value = Quantity{measured.time.median, Unit::second},
                .labels = measured.labels,
                .summary = measured.time,
                .stopping = {},
                .limit = {}});
  if (measured.factor > 0)
    context_.add(metric("algorithm_bandwidth"), Quantity{measured.rate.median / measured.factor, Unit::byte_per_second},
                 measured.labels);
  context_.add(metric("outliers"), Quantity{measured.outliers}, measured.labels);
  context_.add(metric("warm_up"), results::count(measured.warm_up), measured.labels);
  if (!measured.groups.empty()) add_groups(measured);
  add_wrong(measured);
}

void CollectiveFacts::add_groups(const Measured& measured) {
  std::map<int, std::vector<double>> groups;
  gather_in_parts(context_.ranks(), measured.seconds, [&](const auto& part) {
    for (const auto& [group, rates] : group_rates(part, measured))
      groups[group].insert(groups[group].end(), rates.begin(), rates.end());
  });
  for (auto& [group, rates] : groups) {
    rates.erase(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(measured.warm_up));
    auto labels = measured.labels;
    labels.emplace("group", std::to_string(group));
    const auto rate = results::summarize({.unit = Unit::byte_per_second, .values = std::move(rates)});
    context_.add({.metric = metric("group_bandwidth"),
                  .value = Quantity{rate.median, Unit::byte_per_second},
                  .labels = labels,
                  .summary = rate,
                  .stopping = {},
                  .limit = {}});
  }
}

void CollectiveFacts::add_wrong(const Measured& measured) {
  auto& ranks = context_.ranks();
  const auto counts = ranks.gather(std::to_string(measured.wrong));
  const auto firsts = ranks.gather(measured.first_wrong);
  std::size_t all = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    all += std::stoull(counts[rank]);
    if (firsts[rank].empty()) continue;
    auto where = measured.labels;
    where.emplace("rank", std::to_string(rank));
    where.emplace("host", context_.hosts()[rank]);
    context_.add(metric("first_wrong"), firsts[rank], where);
  }
  if (ranks.rank() == 0) context_.add(metric("wrong_elements"), results::count(all), measured.labels);
}

void CollectiveFacts::add_model(const results::Labels& labels, std::span<const benchmarks::Timed> timed) {
  const auto model = benchmarks::fit(timed);
  if (!model) return;
  context_.add(metric("model_latency"), Quantity{model->latency_seconds, Unit::second}, labels);
  context_.add(metric("model_bandwidth"), Quantity{model->bytes_per_second, Unit::byte_per_second}, labels);
  context_.add(metric("model_residual"), Quantity{model->worst_residual, Unit::one}, labels);
}

}  // namespace muster::healthcheck
