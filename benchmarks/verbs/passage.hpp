// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/ranks.hpp"
#include "benchmarks/verbs/lane.hpp"

// Data from one port to another, or to itself, and what both ends know of it afterwards.
namespace muster::benchmarks {

struct Passage {
  bool met = false;                // whether both ends were made
  std::string refused;             // why this one was not
  std::string problem;             // why it broke, in the words of this end where it has some
  bool lost_here = false;          // whether the port of this end is not active any more
  bool lost_there = false;         // or that of the other
  std::optional<Sampled> sampled;  // bits per second of payload; at the end that posted
  double payload_bytes = 0;
  std::optional<double> sent_bytes;  // by the port that the payload came from, retransmissions and headers included
  std::size_t wrong_bytes = 0;       // of the memory that it came to
  std::size_t wrong_answers = 0;     // bytes of what came in return, between two ports
};

// From a port to itself.
Passage loop_back(const CountedPort& port, const Traffic& traffic);

// What a rank does in one round: which rank it meets, none where it is idle, and whether it posts the operations.
struct Part {
  std::optional<int> partner;
  bool posts = false;
};

// Between this rank's ports and its partner's, the first with the first and so on (rail by rail), all at once; one
// passage for each port of this rank. Collective.
std::vector<Passage> meet(Ranks& ranks, const Part& part, std::span<const CountedPort> ports, const Traffic& traffic);

}  // namespace muster::benchmarks
