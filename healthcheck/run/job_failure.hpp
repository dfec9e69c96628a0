// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/values/report.hpp"

namespace muster::healthcheck {

// What is known of one rank of a job.
struct RankState {
  enum class Life {
    well,
    died,    // its connection ended
    failed,  // it says why
    silent,  // its connection is there, and nothing comes
  };
  Life life = Life::well;
  std::uint64_t step = 0;  // benchmarks::Steps::count()
  bool moving = false;     // its step has changed lately
  std::string words = {};  // of one that failed
};

// A rank without which its job cannot go on, and what became of it: "died", "never entered operation 12".
struct LostRank {
  std::size_t rank = 0;
  std::string fate;

  bool operator==(const LostRank&) const = default;
};

// Why a job is ended before its end.
struct JobFailure {
  results::Outcome outcome = results::Outcome::timed_out;
  std::string reason;          // empty when rank 0 says it
  std::vector<LostRank> lost;  // empty when nobody can be told from the others
};

// Who is to blame, the surest sign first: ranks that died, failed, are silent; else, where nobody moves, ranks that are
// behind the others: they never entered, or never left, the operation that others are in or past.
std::vector<LostRank> lost_ranks(std::span<const RankState> ranks);

// The same, said with the names of the ranks' hosts, of a job that could have taken so many seconds.
JobFailure job_failure(std::span<const RankState> ranks, std::span<const std::string> hosts, double limit_seconds);

// That of a process which is no job, after so many seconds.
JobFailure failure_of_one(double limit_seconds);

}  // namespace muster::healthcheck
