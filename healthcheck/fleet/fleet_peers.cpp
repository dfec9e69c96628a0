// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/fleet_peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/fleet/all_processors.hpp"
#include "healthcheck/judge/outliers.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Quantity;
using results::Status;

constexpr std::size_t max_labels = 6;       // of a problem
constexpr std::size_t nodes_at_once = 512;  // whose rates are filed and then freed

// All values of a kind, node by node, and the components that they are about.
struct Values {
  RateKind kind;
  std::optional<Better> better;  // none: nobody knows which is worse, and nothing is held
  std::vector<Cost> all;
  std::vector<std::uint32_t> components;
};

// Files the rates of some nodes, the first of which has the number `from`; each processor those of some kinds.
void file(std::vector<Values>& kinds, std::span<const std::vector<Rate>> nodes, std::size_t from) {
  for_each_part(kinds.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t node = 0; node < nodes.size(); ++node)
      for (const Rate& rate : nodes[node]) {
        if (rate.kind < first || rate.kind >= last || !kinds[rate.kind].better) continue;
        auto& values = kinds[rate.kind];
        values.all.push_back(cost_of(rate.value, *values.better, static_cast<std::uint32_t>(from + node)));
        values.components.push_back(rate.component);
      }
  });
}

// Frees the rates once they are filed, for those of a large fleet take most of its memory.
std::vector<Values> by_kind(std::vector<std::vector<Rate>> nodes, const RateTexts& texts) {
  std::vector<std::size_t> counts(texts.kinds.size());
  for (const auto& node : nodes)
    for (const Rate& rate : node) ++counts[rate.kind];
  std::vector<Values> kinds;
  for (std::uint32_t number = 0; number < texts.kinds.size(); ++number) {
    auto kind = kind_from(texts.kinds[number]);
    const auto better = known_metrics().better(kind.metric, kind.unit);
    auto& values = kinds.emplace_back(Values{.kind = std::move(kind), .better = better});
    if (!better) continue;
    values.all.reserve(counts[number]);
    values.components.reserve(counts[number]);
  }
  for (std::size_t first = 0; first < nodes.size(); first += nodes_at_once) {
    const auto some = std::span(nodes).subspan(first, std::min(nodes_at_once, nodes.size() - first));
    file(kinds, some, first);
    for (auto& rates : some) rates = std::vector<Rate>();
  }
  return kinds;
}

Quantity quantity(const Values& of, double slowness) {
  return {of.better == Better::lower ? slowness : 1 / slowness, of.kind.unit};
}

// "1.9 TB/s is 12 % below the median 2.16 TB/s"
std::string compared(const Values& of, double slowness, double median) {
  return fmt::format("{} is {} {} the median {}", results::to_text(quantity(of, slowness)),
                     results::percent(gap(slowness, median, *of.better)),
                     of.better == Better::lower ? "above" : "below", results::to_text(quantity(of, median)));
}

// The worst value of one component of a node by one check.
struct OutlierRate {
  const Values* of = nullptr;
  results::Labels component;
  double slowness = 0, median = 0;
  std::size_t others = 0;
  std::size_t count = 0;  // of its values that are slow
};

// By how much, and for equal ones by name.
auto order_of(const OutlierRate& worst) { return std::tuple(-worst.slowness / worst.median, worst.of->kind.metric); }

class FleetComparison {
 public:
  FleetComparison(const RateTexts& texts, const PeerRules& rules, std::size_t nodes)
      : texts_(texts), rules_(rules), is_held_(nodes), worst_(nodes) {}

  // Kinds that outlive this.
  void compare(const std::vector<Values>& kinds) {
    std::vector<Outliers> found(kinds.size());
    std::vector<MetricSpread> spreads(kinds.size());
    std::vector<std::optional<double>> healthy;
    for (const auto& values : kinds) healthy.push_back(rules_.spread(values.kind));
    for_each_index(kinds.size(), [&](std::size_t kind) {
      const auto& values = kinds[kind];
      if (!values.better || values.all.empty()) return;
      found[kind] = outliers(values.all, *values.better, healthy[kind]);
      spreads[kind] = spread_of(values, found[kind], std::exchange(found[kind].sorted, {}));
    });
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      if (spreads[kind].values > 0) spreads_.push_back(std::move(spreads[kind]));
      if (found[kind].are_held) add(kinds[kind], found[kind]);
    }
  }

  PeerComparison result() && {
    peers_.nodes = static_cast<std::size_t>(std::ranges::count(is_held_, true));
    std::ranges::sort(peers_.divided, {},
                      [](const Division& each) { return std::tie(each.profile, each.metric, each.labels); });
    PeerComparison held{.peers = std::move(peers_), .warnings = {}};
    for (const auto& components : worst_) held.warnings.push_back(warnings(components));
    std::ranges::stable_sort(spreads_, {}, [](const MetricSpread& each) {
      return std::tuple(each.slow == 0, std::tie(each.metric, each.profile, each.machine, each.labels));
    });
    spreads_.resize(std::min(spreads_.size(), max_spreads));
    held.spreads = std::move(spreads_);
    return held;
  }

 private:
  using Components = std::map<std::pair<std::string, std::string>, OutlierRate>;  // by check, and labels

  void add(const Values& values, const Outliers& found) {
    const auto& kind = values.kind;
    peers_.values += values.all.size();
    for (const auto& each : values.all) is_held_[each.node] = true;
    for (const auto& each : found.slow) {
      const auto& [slowness, node] = values.all[each.index];
      const auto& component = texts_.components[values.components[each.index]];
      add(worst_[node][{kind.check, component}], {&values, labels_from(component), slowness, each.median, each.others});
    }
    if (found.division)
      peers_.divided.push_back(
          {kind.profile, kind.metric, kind.labels,
           fmt::format("of {} values more than a tenth are slow, so that no single node is to blame: {}",
                       values.all.size(), compared(values, found.division->tenth, found.division->median))});
  }

  static void add(OutlierRate& known, OutlierRate found) {
    const auto count = known.count + 1;
    if (known.count == 0 || order_of(found) < order_of(known)) known = std::move(found);
    known.count = count;
  }

  // Names nodes by their numbers. `sorted` has the slowest value first.
  MetricSpread spread_of(const Values& values, const Outliers& found, std::vector<double> sorted) const {
    const auto& kind = values.kind;
    MetricSpread spread{.profile = kind.profile,
                        .machine = kind.machine,
                        .metric = kind.metric,
                        .unit = kind.unit,
                        .labels = kind.labels,
                        .better = values.better.value_or(Better::higher),
                        .nodes = found.nodes,
                        .values = values.all.size(),
                        .slow = found.slow.size()};
    for (double& each : sorted) each = quantity(values, each).value;
    if (spread.better == Better::lower) std::ranges::reverse(sorted);
    spread.quantiles = quantiles_of(sorted);
    auto slow = found.slow;
    std::ranges::stable_sort(slow, std::greater{}, [&](const SlowValue& each) { return values.all[each.index].value; });
    slow.resize(std::min(slow.size(), max_named_outliers));
    for (const auto& each : slow)
      spread.outliers.push_back({std::to_string(values.all[each.index].node),
                                 labels_from(texts_.components[values.components[each.index]]),
                                 rounded(quantity(values, values.all[each.index].value).value)});
    return spread;
  }

  std::vector<results::CheckRun> warnings(const Components& components) const {
    std::vector<OutlierRate> all;
    for (const auto& [key, worst] : components) all.push_back(worst);
    std::ranges::stable_sort(all, {}, order_of);
    std::vector<results::CheckRun> runs;
    for (const auto& worst : all) runs.push_back(warning(worst));
    return runs;
  }

  results::CheckRun warning(const OutlierRate& worst) const {
    const auto& kind = worst.of->kind;
    auto labels = worst.component;
    for (const auto& label : kind.labels)
      if (labels.size() < max_labels) labels.insert(label);
    auto reason = fmt::format("{} of {} others; muster node --only {} looks again",
                              compared(*worst.of, worst.slowness, worst.median), worst.others, kind.check);
    if (worst.count > 1) reason += fmt::format(" ({} of its rates and times are slow)", worst.count);
    return {.check = kind.check,
            .outcome = results::Outcome::finished,
            .status = Status::warn,
            .verdicts = {{.status = Status::warn,
                          .metric = kind.metric,
                          .labels = std::move(labels),
                          .value = quantity(*worst.of, worst.slowness),
                          .reason = std::move(reason),
                          .fault = std::string(slower_than_peers),
                          .action = rules_.action}}};
  }

  const RateTexts& texts_;
  const PeerRules& rules_;
  Peers peers_;
  std::vector<MetricSpread> spreads_;
  std::vector<bool> is_held_;      // by node
  std::vector<Components> worst_;  // by node
};

}  // namespace

PeerComparison compare_with_peers(std::vector<std::vector<Rate>> nodes, const RateTexts& texts,
                                  const PeerRules& rules) {
  FleetComparison comparison(texts, rules, nodes.size());
  const auto kinds = by_kind(std::move(nodes), texts);
  comparison.compare(kinds);
  return std::move(comparison).result();
}

}  // namespace muster::healthcheck::fleet
