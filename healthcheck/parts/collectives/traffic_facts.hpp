// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/collectives/collective.hpp"
#include "healthcheck/check/context.hpp"

namespace muster::healthcheck {

// Whether what had to leave each host left it through its NICs, by their own counters: a rate between hosts whose bytes
// no NIC saw is that of something else. All ranks make the same calls.
class TrafficFacts {
 public:
  // Counts from here on. Metrics begin with the name of the check.
  TrafficFacts(Context& context, std::string check);

  // So many calls of S bytes among all ranks, or in each of the groups, given by rank.
  void count(const benchmarks::Collective& collective, std::size_t bytes, std::size_t calls,
             const std::vector<int>& groups);
  // Reports nic_bytes of every NIC, and nic_traffic of every host: what its NICs sent, as a multiple of what had to
  // leave it. Nothing where nothing had to, or where no NIC counts.
  void add();

 private:
  // What this host's NICs sent since the start; waits for drivers whose counters lag.
  std::map<std::string, double> sent() const;

  Context& context_;
  std::string check_;
  std::map<std::string, std::int64_t> before_;
  std::map<std::string, double> needed_;  // by host
};

}  // namespace muster::healthcheck
