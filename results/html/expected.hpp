// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "results/values/report.hpp"

namespace muster::results::html {

// Where a value is good, and from where on it violates; in the unit of the measurement.
struct Edges {
  bool more_is_better = true;
  double good = 0;
  double bad = 0;
};

// What a verdict says was expected of the measurement: the exact edges of its stopping rule where it has them, else
// those of the sentence, "at least 465 GB/s (fails below 440 GB/s)", which has three digits. A share of the physical
// limit needs that limit. Nothing where the expectation is no limit, or there is none.
std::optional<Edges> edges(const Measurement& measurement, std::string_view expected);

// The number in the unit that such a text begins with: "465 GB/s (..." -> 465e9; nothing where there is none.
std::optional<double> amount(std::string_view text, Unit unit);

// Bytes of a size as labels spell it: "8B", "1 MiB", "16GiB"; nothing where it is none.
std::optional<double> size_of(std::string_view label);

// The verdicts of a run by what they are about. Both must outlive it.
class Judged {
 public:
  explicit Judged(const CheckRun& run);

  // That about the measurement, where it was judged.
  const Verdict* about(const Measurement& measurement) const;
  // Those about no measurement: what was expected and not measured. Skips are not among them.
  std::vector<const Verdict*> about_nothing() const;

 private:
  const CheckRun& run_;
  std::unordered_multimap<std::string, const Verdict*> by_fact_;
};

}  // namespace muster::results::html
