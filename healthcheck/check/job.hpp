// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/ranks/launcher.hpp"
#include "benchmarks/ranks/ranks.hpp"
#include "results/values/measurement.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// Throws UsageError where a host has two.
void expect_one_rank_on_each(const std::vector<std::string>& hosts);

// The facts of all ranks, by rank, on rank 0; nothing on the others. Collective.
std::vector<results::Measurement> gather_facts(benchmarks::Ranks& ranks, std::vector<results::Measurement> own);

// The hosts of the other ranks, what their counters say, and why one of them knows nothing of that, join the report of
// rank 0. Collective.
void join_hosts(results::Report& report, benchmarks::Ranks& ranks);

// What a rank brings along.
struct Member {
  std::map<std::string, std::string> same;  // "profile" -> hash: what must be the same on all ranks
  benchmarks::Launcher launcher = {};
  std::string library = {};                // of MPI, with its version
  std::optional<std::size_t> wanted_size;  // --ranks
};

// Why these processes are no job whose numbers would mean anything; the same words on every rank, none when they are.
std::string why_no_job(benchmarks::Ranks& ranks, const std::vector<std::string>& hosts, const Member& member);

// The part of it that looks at what must be the same on all ranks: the first that is not, with one that has another.
std::string difference(benchmarks::Ranks& ranks, const std::vector<std::string>& hosts,
                       const std::map<std::string, std::string>& same);

// The part of that which looks at what all ranks gave for one of the terms; by rank.
std::string odd_one_out(const std::string& term, const std::vector<std::string>& values,
                        const std::vector<std::string>& hosts);

// The part of it that needs no other rank: one process, or another number of them than was told or wanted.
std::string wrong_size(int size, const Member& member);

}  // namespace muster::healthcheck
