// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "benchmarks/collectives/collective.hpp"
#include "benchmarks/collectives/timed_collective.hpp"
#include "benchmarks/host/mapping.hpp"
#include "benchmarks/ranks/ranks.hpp"

namespace muster::benchmarks::mpi {

// A collective of MPI on host memory, among all ranks of a job or in each of its groups at the same time.
class HostCollective final : public TimedCollective {
 public:
  // What MPI can move and reduce.
  static constexpr std::array types{DataType::float32, DataType::float64, DataType::int8,
                                    DataType::int32,   DataType::int64,   DataType::uint64};
  static constexpr std::array reductions{Reduction::sum, Reduction::prod, Reduction::min, Reduction::max};
  // The most elements that one call can count.
  static constexpr std::size_t max_elements = 2147483647;

  // Buffers for so many calls, each of S bytes (benchmarks/collectives/collective.hpp). Throws Error when there is no
  // room.
  HostCollective(const Collective& collective, std::size_t bytes, Ranks& job, const Ranks& members, std::size_t calls,
                 host::Mapping::Pages pages = host::Mapping::Pages::huge);

  // Makes every call one of so many bytes, no more than at first, in the same buffers; prepare() is due.
  void resize(std::size_t bytes) { shape_ = shape(collective_, bytes, ranks_); }
  void prepare(std::uint64_t iteration) override;
  double seconds() override;
  WrongElements verify() override;

 private:
  struct Means;  // of MPI, for every call
  void run(const Means& means) const;
  std::span<std::byte> sent(std::size_t call) const;
  std::span<std::byte> received(std::size_t call) const;
  std::size_t start(std::size_t call) const;  // of a call's part of the receiving buffer, in bytes

  Collective collective_;
  Shape shape_;
  Ranks& job_;
  const Ranks& members_;
  int rank_;
  int ranks_;
  std::size_t calls_;
  std::uint64_t iteration_ = 0;
  host::Mapping send_;
  host::Mapping receive_;
};

}  // namespace muster::benchmarks::mpi
