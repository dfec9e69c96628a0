// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace muster::benchmarks {

// How samples of a rate scatter: log-normal noise, of which neighbours share a part, and slow outliers of 20 to 70 %.
struct Scatter {
  double noise = 0.01;         // standard deviation of ln(rate)
  double outliers = 0;         // share of samples
  bool bursts = false;         // outliers come three at a time
  double autocorrelation = 0;  // between neighbours
};

// A machine whose rates are made up, for tests of the rules that judge real ones.
class NoisyMachine {
 public:
  NoisyMachine(const Scatter& scatter, double rate, std::uint64_t seed)
      : scatter_(scatter), rate_(rate), random_(seed), deviation_(normal_(random_)) {}

  double sample() {
    const double rho = scatter_.autocorrelation;
    deviation_ = rho * deviation_ + std::sqrt(1 - rho * rho) * normal_(random_);
    return rate_ * std::exp(scatter_.noise * deviation_) / slowness();
  }

 private:
  double slowness() {
    constexpr int burst = 3;
    if (left_ == 0 && uniform_(random_) < scatter_.outliers / (scatter_.bursts ? burst : 1))
      left_ = scatter_.bursts ? burst : 1;
    if (left_ == 0) return 1;
    --left_;
    return 1.2 + 0.5 * uniform_(random_);
  }

  Scatter scatter_;
  double rate_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  double deviation_;
  int left_ = 0;
};

}  // namespace muster::benchmarks
