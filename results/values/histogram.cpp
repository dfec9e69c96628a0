// SPDX-License-Identifier: Apache-2.0
#include "results/values/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace muster::results {
namespace {

// A power of two is divided into 128 buckets, as of HdrHistogram; the first 256 hold one value each.
constexpr int bits = 7;
constexpr std::uint64_t buckets = std::uint64_t{1} << bits;
constexpr std::uint64_t most = (std::uint64_t{1} << 40) - 1;
constexpr double per_second = 1e9;

constexpr std::size_t bucket(std::uint64_t value) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - bits - 1);
  return static_cast<std::size_t>(static_cast<std::uint64_t>(shift) * buckets + (value >> shift));
}

// The middle of what a bucket holds.
double middle(std::size_t bucket) {
  if (bucket < 2 * buckets) return static_cast<double>(bucket);
  const auto shift = bucket / buckets - 1;
  const auto low = (bucket - shift * buckets) << shift;
  return static_cast<double>(low) + static_cast<double>((std::uint64_t{1} << shift) - 1) / 2;
}

}  // namespace

Histogram::Histogram() : counts_(bucket(most) + 1) {}

void Histogram::add(std::chrono::nanoseconds time) {
  const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count()));
  ++counts_[bucket(std::min(value, most))];
  ++n_;
  maximum_ = std::max(maximum_, value);
}

void Histogram::add(const Histogram& other) {
  std::ranges::transform(counts_, other.counts_, counts_.begin(), std::plus());
  n_ += other.n_;
  maximum_ = std::max(maximum_, other.maximum_);
}

double Histogram::quantile_seconds(double share) const {
  if (n_ == 0) return 0;
  const auto wanted =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(n_))));
  std::uint64_t below = 0;
  for (std::size_t at = 0; at < counts_.size(); ++at) {
    below += counts_[at];
    if (below >= wanted) return std::min(middle(at), static_cast<double>(maximum_)) / per_second;
  }
  return maximum_seconds();
}

double Histogram::maximum_seconds() const { return static_cast<double>(maximum_) / per_second; }

}  // namespace muster::results
