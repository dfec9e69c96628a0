// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/verbs/port.hpp"
#include "benchmarks/verbs/transfer_result.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/parts/verbs/rdma_end.hpp"

// What a check of RDMA measures: which ports, which operations, for how long, and what its passages say.
namespace muster::healthcheck {

// Of the time of all passages, what one may take; and of how many there was none left.
struct TimeShares {
  std::size_t all = 1;
  std::size_t left = all;
  std::size_t left_out = 0;
};

// What was asked for, and how its facts are named; of names, none are all, but of memories only a full run's are.
struct RdmaRequest {
  std::string check;
  benchmarks::verbs::Flow flow = benchmarks::verbs::Flow::stream;
  benchmarks::verbs::MessageShape shape;
  bool is_both_ways = false;              // each pair at the same time
  bool is_between_ports = false;          // of one machine
  bool is_one_by_one = false;             // rates of one pair after the other
  std::optional<std::size_t> iterations;  // so many samples of each operation, however long they take
  std::optional<std::size_t> gid_index;   // of every Ethernet port; else what suits best
  std::vector<std::string> nics;
  std::vector<std::string> operations;
  std::vector<std::string> memories;

  // Of a fact of the check.
  std::string metric(std::string_view name) const;
  // Of what it measures: of a port that sends, of one that takes what others send, and of a pair.
  std::string measured() const;
  std::string measured_of_receiver() const;
  std::string measured_of_pair() const;

  // Whether one pair of ports has the machine for itself: a latency is of one alone.
  bool takes_turns() const { return is_one_by_one || flow == benchmarks::verbs::Flow::ping_pong; }

  // Throws UsageError where that cannot be had: a device that no machine of the job has, too. Collective.
  void expect_possible(const Context& context) const;
  // Tells what options limit it to.
  void select(Context& context) const;
  // Those of one machine that are active, and opened where they can be. Adds what they are, and which were asked for
  // and are not active; throws Skip without any.
  std::vector<RdmaEnd> active(Context& context) const;
  // With memory of GPUs only where any port here or elsewhere reaches it.
  std::vector<RdmaCase> transfers(bool any_reaches_gpu) const;
  results::Labels labels(const RdmaCase& transfer, results::Labels where) const;
  // `where` is what is known of the path beforehand. To tell thresholds apart, or for as many samples as were asked
  // for, it may take its share of what is left to the deadline, but for the time of an end that hangs, or of half of a
  // short one; else a short time is enough.
  benchmarks::verbs::Traffic traffic(const Context& context, const RdmaCase& transfer, results::Labels where,
                                     TimeShares& shares) const;

  results::Measurement fact(std::string_view name, results::Value value, results::Labels labels) const;
  // Whether a port was asked for and cannot serve: of its adapter none of all these is active.
  bool misses(const RdmaEnd& port, std::span<const RdmaEnd> all) const;
  using LabelsOf = std::function<results::Labels(const RdmaEnd& port)>;
  // Opens those that are active, and says why others are not. Which GID and GPU each is used with, and which counter
  // sees what it sends, or why it cannot be used, or not with a GPU.
  std::vector<results::Measurement> open(const Context& context, std::span<RdmaEnd> ports,
                                         const LabelsOf& labels) const;
  // What a passage says whose port here was lost.
  results::Measurement lost(const benchmarks::verbs::TransferResult& passage, results::Labels labels) const;
  // What a passage that ended well says, at the end that posted: its rate or latency as this metric, whether the wire
  // carried the payload, by the counters of the port that sent it, and whether it came whole. The rate is that of its
  // path, in bits per second.
  std::vector<results::Measurement> facts_of(const benchmarks::verbs::TransferResult& passage,
                                             std::optional<double> rate, std::string metric,
                                             results::Labels labels) const;
  // What a passage between two ports says, neither of which was lost and of which the first, by its labels, posts.
  std::vector<results::Measurement> facts_of_pair(const benchmarks::verbs::TransferResult& passage,
                                                  std::optional<double> rate, const RdmaCase& transfer,
                                                  const results::Labels& own, const results::Labels& partner) const;
  // Adds these facts, but for those of pairs, which go to the others of pairs.
  void tell(Context& context, std::vector<results::Measurement> facts,
            std::vector<results::Measurement>& of_pairs) const;
  // Adds how many rounds there was no time for, if any.
  void tell_left_out(Context& context, const TimeShares& shares) const;
  // Adds what pairs say in the end: the rate of each end, and who broke them. Where at most two members meet, a pair is
  // no more than its ends.
  void conclude(Context& context, std::vector<results::Measurement> of_pairs, std::size_t members,
                const TimeShares& shares) const;

 private:
  bool wants_gpus(const Context& context) const;
  std::vector<results::Measurement> reach_gpus(const Context& context, std::span<RdmaEnd> ports,
                                               const LabelsOf& labels) const;
};

}  // namespace muster::healthcheck
