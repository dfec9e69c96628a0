// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/verbs/passage.hpp"
#include "benchmarks/verbs/port.hpp"
#include "healthcheck/context.hpp"
#include "topology/infiniband.hpp"

// What a check of RDMA measures: which ports, which operations, for how long, and what its passages say.
namespace muster::healthcheck {

// A port of this machine, and what it is opened as.
struct RdmaEnd {
  topology::Hca hca;
  topology::HcaPort port;
  std::unique_ptr<benchmarks::RdmaPort> opened;

  bool is_active() const { return port.state == "ACTIVE"; }
  results::Labels labels() const;
  // Opens it. Which GID it is used with, or why it cannot be used.
  results::Measurement open(results::Labels labels);
  benchmarks::CountedPort counted(const Context& context) const;
};

// Of the time of all passages, what one may take.
struct Shares {
  std::size_t all = 1;
  std::size_t left = all;
};

// What was asked for; of names, none are all.
struct RdmaRequest {
  std::vector<std::string> nics;
  std::vector<std::string> operations;
  benchmarks::MessageShape shape;

  // Throws UsageError where that cannot be had.
  void expect_possible(const topology::Sysfs& sysfs) const;
  std::vector<RdmaEnd> ends(const topology::Sysfs& sysfs) const;
  std::vector<benchmarks::RdmaOperation> chosen() const;
  results::Labels labels(benchmarks::RdmaOperation operation, results::Labels where) const;
  // `where` is what is known of the path beforehand. To tell edges apart it may take its share of what is left to the
  // deadline; where there are none, a short time is enough.
  benchmarks::Traffic traffic(const Context& context, benchmarks::RdmaOperation operation, results::Labels where,
                              Shares& shares) const;
};

results::Measurement fact(std::string metric, results::Value value, results::Labels labels);

// What a passage says whose port here was lost.
results::Measurement lost(const benchmarks::Passage& passage, results::Labels labels);

// What a passage that ended well says, at the end that posted: its rate, whether the wire carried the payload, by the
// counters of the port that sent it, and whether it came whole.
std::vector<results::Measurement> facts_of(const benchmarks::Passage& passage, std::string metric,
                                           results::Labels labels);

}  // namespace muster::healthcheck
