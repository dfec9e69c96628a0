// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/values/report.hpp"

namespace muster::healthcheck::compare {

// What something in a report is about.
struct Place {
  std::string check, metric;
  results::Labels labels;
};

// Two that are about the same, by their numbers; what the other report has not stands alone.
struct Match {
  std::optional<std::size_t> a, b;
};

// In the order of A, then of B. First those whose labels are the same; then those that differ only in where a device
// sits (another machine has other addresses and serial numbers), then only in files and folders that were used.
std::vector<Match> matches(std::span<const Place> a, std::span<const Place> b);

// Says what B's hosts and GPUs are called in A, so that labels of both can be compared: a host by its name, else by its
// place in the list; a GPU by its PCI address, for its number changes when another one is lost.
class Names {
 public:
  Names(const results::Report& a, const results::Report& b);

  // Labels of B as A would have them; of both without a host where each report has one.
  results::Labels in_a(results::Labels labels) const;
  results::Labels in_b(results::Labels labels) const;
  bool is_same_machine() const { return is_same_; }

 private:
  std::map<std::string, std::string, std::less<>> hosts_, gpus_;  // of B, in A
  bool several_hosts_ = false;
  bool is_same_ = true;
};

// The labels that say which part of a machine it is; none where it is about the whole.
results::Labels component_of(const results::Labels& labels);

bool holds_all(const results::Labels& all, const results::Labels& some);

}  // namespace muster::healthcheck::compare
