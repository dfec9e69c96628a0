// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/ranks/ranks.hpp"
#include "benchmarks/verbs/port_channel.hpp"

// Data from one port to another, or to itself, and what both ends know of it afterwards.
namespace muster::benchmarks::verbs {

struct TransferResult {
  bool met = false;                // whether both ends were made
  bool is_to_itself = false;       // from a port to the same
  std::string refused;             // why this one was not, or what came to it cannot be looked at
  std::string refused_there;       // or the other, where it is of this machine too
  std::string problem;             // why it broke, in the words of this end where it has some
  bool lost_here = false;          // whether the port of this end is not active any more
  bool lost_there = false;         // or that of the other
  std::optional<Sampled> sampled;  // bits per second of payload, all verified; at the end that posted
  Mtus mtus;                       // of this end and the other
  std::string gpudirect;           // by what its port reached the memory of a GPU; empty for that of the host
  double payload_bytes = 0;
  std::optional<double> sent_bytes;  // by the port that the payload came from, retransmissions and headers included
  std::size_t wrong_bytes = 0;       // of the memory that it came to
  std::size_t wrong_answers = 0;     // bytes of what came in return, to and fro between two ports
};

// Which posts the operations, and which it is that they are posted to, maybe the same.
struct Path {
  CountedPort from;
  CountedPort to;
};

// Between ports of this machine, all paths at once; one passage for each.
std::vector<TransferResult> between_ports(std::span<const Path> paths, const Traffic& traffic);

// What a rank does in one round: which rank it meets, none where it is idle, whether it posts operations, and whether
// its partner does.
struct RoundRole {
  std::optional<int> partner;
  bool posts = false;
  bool takes = false;
};

// Between this rank's ports and its partner's, the first with the first and so on (rail by rail), all at once; one
// passage for each port of this rank. Collective.
std::vector<TransferResult> exchange(Ranks& ranks, const RoundRole& part, std::span<const CountedPort> ports,
                                     const Traffic& traffic);

}  // namespace muster::benchmarks::verbs
