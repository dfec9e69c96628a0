// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/quantity.hpp"

namespace muster::healthcheck {

// What `muster explain METRIC` prints and what a profile may expect something of.
struct Metric {
  std::string name;                   // "host_memory.bandwidth"
  std::optional<results::Unit> unit;  // none: its values are texts
  std::string meaning;
};

// The table of everything that checks measure and counters count, healthcheck/metrics.json.
class Metrics {
 public:
  // Throws UsageError naming file, line and field.
  explicit Metrics(const std::filesystem::path& file);

  // Null when there is no such metric.
  const Metric* find(std::string_view name) const;
  std::vector<std::string> names() const;
  const std::vector<Metric>& all() const& { return metrics_; }

 private:
  std::vector<Metric> metrics_;
};

}  // namespace muster::healthcheck
