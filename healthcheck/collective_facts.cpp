// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/collective_facts.hpp"

#include <algorithm>
#include <map>

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Unit;

constexpr double outlier = 1.5;  // times the median; what the median hides, and jobs feel

results::Samples in_seconds(results::Samples rates, double bytes) {
  rates.unit = Unit::second;
  for (double& value : rates.values) value = bytes / value;
  return rates;
}

}  // namespace

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

benchmarks::Timed CollectiveFacts::add(const Measured& measured) {
  const auto& [samples, stopping, warm_up] = measured.sampled;
  const auto rate = results::summarize(samples);
  const auto seconds = in_seconds(samples, measured.work());
  const auto time = results::summarize(seconds);
  context_.add({.metric = rate_metric(),
                .value = Quantity{rate.median, Unit::byte_per_second},
                .labels = measured.labels,
                .summary = rate,
                .stopping = stopping,
                .limit = measured.limit});
  context_.add({.metric = metric("time"),
                .value = Quantity{time.median, Unit::second},
                .labels = measured.labels,
                .summary = time,
                .stopping = {},
                .limit = {}});
  if (measured.factor > 0)
    context_.add(metric("algorithm_bandwidth"), Quantity{rate.median / measured.factor, Unit::byte_per_second},
                 measured.labels);
  context_.add(metric("outliers"), Quantity{results::share_above(seconds.values, outlier)}, measured.labels);
  context_.add(metric("warm_up"), results::count(warm_up), measured.labels);
  if (!measured.groups.empty()) add_groups(measured);
  add_wrong(measured);
  return {.bytes = static_cast<double>(measured.bytes), .seconds = time.median};
}

// A group's sample is that of its slowest rank.
void CollectiveFacts::add_groups(const Measured& measured) {
  auto& ranks = context_.ranks();
  const auto seconds = gather_numbers(ranks, measured.seconds);
  if (ranks.rank() != 0) return;
  std::map<int, results::Samples> groups;
  for (std::size_t rank = 0; rank < seconds.size(); ++rank) {
    auto& slowest = groups[measured.groups[rank]];
    slowest.unit = Unit::second;
    const auto own = std::span(seconds[rank]).subspan(measured.sampled.warm_up);
    slowest.values.resize(own.size());
    std::ranges::transform(slowest.values, own, slowest.values.begin(),
                           [](double one, double other) { return std::max(one, other); });
  }
  for (auto& [group, samples] : groups) {
    for (double& value : samples.values) value = measured.work() / value;
    samples.unit = Unit::byte_per_second;
    auto labels = measured.labels;
    labels.emplace("group", std::to_string(group));
    const auto rate = results::summarize(samples);
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
