// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/fleet/metric_spread.hpp"
#include "healthcheck/fleet/rates.hpp"
#include "healthcheck/program/installation.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::fleet {

constexpr std::string_view slower_than_peers = "slower_than_peers";  // the fault

// What is known of a fleet before its nodes are held against each other.
struct PeerRules {
  // The healthy relative spread of a kind, where its profile states one; asked by one thread. Throws UsageError where
  // the profile cannot be read.
  std::function<std::optional<double>(const RateKind&)> spread = [](const RateKind&) { return std::nullopt; };
  std::string action;  // for what is slower than its peers
};

// As the profiles and the table of faults of an installation say. Throws UsageError where that table cannot be read.
PeerRules peer_rules(const Installation& installation);

// Of a kind more than a tenth is slow: no single node is to blame.
struct Division {
  std::string profile, metric;
  results::Labels labels;
  std::string reason;  // one sentence
};

// How many nodes and values were held against those of their kind, and of which kinds nobody can be accused.
struct Peers {
  std::size_t nodes = 0, values = 0;
  std::vector<Division> divided;
};

struct PeerComparison {
  Peers peers;
  std::vector<std::vector<results::CheckRun>> warnings;  // by node, worst first; each a run with one verdict
  std::vector<MetricSpread> spreads{};  // those with outliers first, max_spreads at most; their nodes are numbers
};

// Holds what each node has measured against the same of the others: see standings(). Of one component of a node and one
// check the worst value is named.
PeerComparison compare_with_peers(std::vector<std::vector<Rate>> nodes, const RateTexts& texts, const PeerRules& rules);

}  // namespace muster::healthcheck::fleet
