// SPDX-License-Identifier: Apache-2.0
#include "results/values/binomial.hpp"

#include <math.h>

#include <cmath>

namespace muster::results {
namespace {

// std::lgamma writes the sign to a variable that all threads share.
double log_factorial(double n) {
  int sign = 0;
  return lgamma_r(n + 1, &sign);
}

}  // namespace

double log_binomial(std::size_t n, std::size_t hits, double share) {
  const auto all = static_cast<double>(n);
  const auto hit = static_cast<double>(hits);
  const auto missed = static_cast<double>(n - hits);
  return log_factorial(all) - log_factorial(hit) - log_factorial(missed) + hit * std::log(share) +
         missed * std::log1p(-share);
}

}  // namespace muster::results
