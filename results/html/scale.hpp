// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace muster::results::html {

// Where values stand on an axis: from `low` at `begin` to `high` at `end`, in units of a drawing. What lies outside
// stands at its ends, as does what is no number.
class Scale {
 public:
  enum class Kind { linear, logarithmic };

  // A logarithmic one needs values above zero.
  Scale(Kind kind, double low, double high, double begin, double end);

  double at(double value) const;

 private:
  double position(double value) const;

  Kind kind_;
  double low_, high_, begin_, end_;
};

// At most some seven round values from zero or the first power of ten to the first that is not below `high`: 0, 50,
// 100, 150.
std::vector<double> linear_ticks(double high);
// Around the values: powers of ten, and 2 and 5 times these where there are few; at least two.
std::vector<double> logarithmic_ticks(double low, double high);

// Places near the given ones, in their order, of which no two are nearer than the gap, from `low` to `high` where there
// is room for all.
std::vector<double> spread(const std::vector<double>& places, double gap, double low, double high);

}  // namespace muster::results::html
