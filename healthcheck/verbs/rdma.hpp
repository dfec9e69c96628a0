// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
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
  benchmarks::CountedPort counted(const Context& context) const;
};

// Of the time of all passages, what one may take.
struct Shares {
  std::size_t all = 1;
  std::size_t left = all;
};

// What was asked for, and how its facts are named; of names, none are all.
struct RdmaRequest {
  std::string check;
  benchmarks::Flow flow = benchmarks::Flow::stream;
  benchmarks::MessageShape shape;
  std::optional<std::size_t> iterations;  // so many samples of each operation, however long they take
  std::vector<std::string> nics;
  std::vector<std::string> operations;

  // Of a fact of the check.
  std::string metric(std::string_view name) const;
  // Of what it measures: of a port, and of a pair.
  std::string measured() const;
  std::string measured_of_pair() const;

  // Throws UsageError where that cannot be had.
  void expect_possible(const topology::Sysfs& sysfs) const;
  std::vector<RdmaEnd> ends(const topology::Sysfs& sysfs) const;
  std::vector<benchmarks::RdmaOperation> chosen() const;
  results::Labels labels(benchmarks::RdmaOperation operation, results::Labels where) const;
  // `where` is what is known of the path beforehand. To tell edges apart, or for as many samples as were asked for, it
  // may take its share of what is left to the deadline; else a short time is enough.
  benchmarks::Traffic traffic(const Context& context, benchmarks::RdmaOperation operation, results::Labels where,
                              Shares& shares) const;

  results::Measurement fact(std::string_view name, results::Value value, results::Labels labels) const;
  // Opens a port. Which GID it is used with, or why it cannot be used.
  results::Measurement open(RdmaEnd& port, results::Labels labels) const;
  // What a passage says whose port here was lost.
  results::Measurement lost(const benchmarks::Passage& passage, results::Labels labels) const;
  // What a passage that ended well says, at the end that posted: its rate or latency as this metric, whether the wire
  // carried the payload, by the counters of the port that sent it, and whether it came whole.
  std::vector<results::Measurement> facts_of(const benchmarks::Passage& passage, std::string metric,
                                             results::Labels labels) const;
};

}  // namespace muster::healthcheck
