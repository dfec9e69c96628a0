// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "benchmarks/collective.hpp"
#include "benchmarks/collective_data.hpp"
#include "benchmarks/host/mapping.hpp"
#include "benchmarks/ranks.hpp"

namespace muster::benchmarks {

// A collective of MPI on host memory of all ranks of the job. A sample is one or several calls, each on buffers of its
// own, so that what was timed is also what is verified.
class HostCollective {
 public:
  // The most elements that one call can count.
  static constexpr std::size_t most_elements = 2147483647;

  // Buffers for so many calls, each of S bytes (benchmarks/collective.hpp). Throws Error when there is no room.
  HostCollective(const Collective& collective, std::size_t bytes, const Ranks& ranks, std::size_t calls);

  // Of one rank, for one call.
  static std::size_t buffer_bytes(const Collective& collective, std::size_t bytes, int ranks);

  // Writes the inputs of an iteration and spoils what lies in the places of the results.
  void prepare(std::uint64_t iteration);
  // The calls that are timed, and only they.
  void run();
  // Of all calls; an index counts from the first element of the first call.
  WrongElements verify() const;

 private:
  std::span<std::byte> sent(std::size_t call) const;
  std::span<std::byte> received(std::size_t call) const;
  std::size_t start(std::size_t call) const;  // of a call's part of the receiving buffer, in bytes

  Collective collective_;
  Shape shape_;
  int rank_;
  int ranks_;
  std::size_t calls_;
  std::uint64_t iteration_ = 0;
  Mapping send_;
  Mapping receive_;
};

}  // namespace muster::benchmarks
