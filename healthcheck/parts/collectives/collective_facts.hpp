// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/collectives/collective.hpp"
#include "benchmarks/sampling/sampler.hpp"
#include "benchmarks/sampling/size_model.hpp"
#include "healthcheck/check/context.hpp"

namespace muster::healthcheck {

// One size of one collective as one rank saw it.
struct Measured {
  results::Labels labels;
  std::size_t bytes = 0;                // S of one call (benchmarks/collectives/collective.hpp)
  std::vector<int> groups;              // in which it moved, by rank; empty where all ranks were one
  double factor = 1;                    // bus bandwidth / algorithm bandwidth; 0 where one rank moves no data
  results::Summary rate;                // the bus bandwidth, or the algorithm bandwidth where the factor is 0
  std::optional<results::Limit> limit;  // of that rate
  results::Stopping stopping;           // of its sampling
  std::size_t warm_up = 0;              // samples at the start that it leaves out
  results::Summary time;                // seconds of one call, the slowest rank's
  double outliers = 0;                  // the share of samples that took more than 1.5 times the median
  std::vector<double> seconds;          // this rank's time inside one call, of every sample
  std::size_t calls = 0;                // in all samples
  std::size_t wrong = 0;                // elements, in all samples
  std::string first_wrong;              // of this rank; empty when there is none

  // The bytes of one call that its rate is made of.
  double work() const { return static_cast<double>(bytes) * (factor > 0 ? factor : 1); }
  // Of the samples of that rate.
  void sum_up(benchmarks::Sampled sampled);
};

results::Labels labels_of(const benchmarks::Collective& collective);

// What every check of collectives reports, whatever moves the data. All ranks make the same calls.
class CollectiveFacts {
 public:
  // Metrics begin with the name of the check.
  CollectiveFacts(Context& context, std::string check) : context_(context), check_(std::move(check)) {}

  std::string rate_metric() const;
  void add(const Measured& measured);
  // What was wrong of it, with the rank that saw it first.
  void add_wrong(const Measured& measured);
  // Latency and bandwidth of the line through all sizes.
  void add_model(const results::Labels& labels, std::span<const benchmarks::Timed> timed);

 private:
  // The rate of each group by itself.
  void add_groups(const Measured& measured);
  std::string metric(std::string_view fact) const { return results::metric_name(check_, fact); }

  Context& context_;
  std::string check_;
};

}  // namespace muster::healthcheck
