// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "results/values/quantity.hpp"

namespace muster::healthcheck {

enum class Better { higher, lower };

// What `muster explain METRIC` prints and what a profile may expect something of.
struct Metric {
  std::string name;                   // "host_memory.bandwidth"
  std::optional<results::Unit> unit;  // none: its values are texts
  std::optional<Better> better;       // none: of a number nobody can say which
  std::string meaning;
  bool is_lasting = false;     // the same in each run, until somebody changes the machine
  bool is_of_machine = false;  // that too, and each machine or part has another one: serial numbers
  // Of its facts, and the values that each may have; any where none are listed, as of those that name a component.
  // Nothing where the table does not tell.
  std::optional<std::map<std::string, std::vector<std::string>, std::less<>>> labels;
};

// The table of everything that checks measure and counters count, healthcheck/metrics.json.
class Metrics {
 public:
  // Throws UsageError naming file, line and field.
  explicit Metrics(const std::filesystem::path& file);

  // Null when there is no such metric.
  const Metric* find(std::string_view name) const;
  // Whether more or less of such a number is better; nothing where the table does not tell, or has another unit.
  std::optional<Better> better(std::string_view name, results::Unit unit) const;
  // Of the facts of its check, with the values that the label has here where they are listed; every fact has a host.
  std::map<std::string, std::vector<std::string>, std::less<>> labels_of(const Metric& metric) const;
  // Whether a label says of which component a fact is. "all" is no component, so that the whole machine is no peer of
  // its parts. It is asked of each label of a fleet's reports.
  bool names_component(std::string_view label, std::string_view value) const {
    return value != "all" && components_.contains(label);
  }
  std::vector<std::string> names() const;
  std::vector<std::string> checks() const;  // whose metrics these are
  const std::vector<Metric>& all() const& { return metrics_; }

 private:
  std::vector<Metric> metrics_;
  std::set<std::string, std::less<>> components_ = {"host"};  // labels that name one, of whatever metric
};

// The name of what a receiver sees of a quantity that its senders have, and whether a metric has such a name. Where
// only two members meet there is none.
std::string of_receiver(std::string_view quantity);
bool is_of_receiver(std::string_view metric);

// That of this installation, read once. Throws UsageError as the constructor does.
const Metrics& known_metrics();

}  // namespace muster::healthcheck
