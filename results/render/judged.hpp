// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "results/values/report.hpp"

namespace muster::results {

// Which verdict of a run is about which of its facts. Labels of the run, which either may lack, do not matter. It holds
// views of the run.
class Judged {
 public:
  explicit Judged(const CheckRun& run);

  // Null where nobody judged it.
  const Verdict* verdict_of(const Measurement& fact) const;

  // Those about none of its facts: what was expected and not measured. Skips are not among them.
  std::vector<const Verdict*> about_nothing() const;

 private:
  std::string key(const std::string& metric, const Labels& labels) const;

  const CheckRun& run_;
  std::unordered_map<std::string, std::vector<const Verdict*>> verdicts_;
};

// How a counter grew, as a fact.
Measurement growth(const Delta& delta);

}  // namespace muster::results
