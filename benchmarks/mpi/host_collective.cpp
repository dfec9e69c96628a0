// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/mpi/host_collective.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "benchmarks/mpi/call.hpp"
#include "benchmarks/mpi/communicator.hpp"

namespace muster::benchmarks::mpi {
namespace {

MPI_Datatype mpi_type(DataType type) {
  switch (type) {
    case DataType::float32:
      return MPI_FLOAT;
    case DataType::float64:
      return MPI_DOUBLE;
    case DataType::int8:
      return MPI_INT8_T;
    case DataType::int32:
      return MPI_INT32_T;
    case DataType::int64:
      return MPI_INT64_T;
    case DataType::uint64:
      return MPI_UINT64_T;
    case DataType::float16:
    case DataType::bfloat16:
      break;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Op mpi_op(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
      return MPI_SUM;
    case Reduction::prod:
      return MPI_PROD;
    case Reduction::min:
      return MPI_MIN;
    case Reduction::max:
      return MPI_MAX;
    case Reduction::avg:
      break;
  }
  return MPI_OP_NULL;
}

std::size_t doubles_for(std::size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double) + 1; }

}  // namespace

HostCollective::HostCollective(const Collective& collective, std::size_t bytes, Ranks& job, const Ranks& members,
                               std::size_t calls, host::Mapping::Pages pages)
    : collective_(collective),
      shape_(shape(collective, bytes, members.size())),
      job_(job),
      members_(members),
      rank_(members.rank()),
      ranks_(members.size()),
      calls_(calls),
      send_(doubles_for(calls * buffers(collective_, shape_).send * bytes_of(collective.type)), pages),
      receive_(doubles_for(calls * buffers(collective_, shape_).receive * bytes_of(collective.type)), pages) {}

std::span<std::byte> HostCollective::sent(std::size_t call) const {
  const auto bytes = shape_.send * bytes_of(collective_.type);
  if (!collective_.in_place) return std::as_writable_bytes(send_.values()).subspan(call * bytes, bytes);
  // MPI reads an all-gather's own part where the result has it.
  const bool own_part = collective_.operation == Operation::all_gather;
  return std::as_writable_bytes(receive_.values())
      .subspan(start(call) + (own_part ? static_cast<std::size_t>(rank_) * bytes : 0), bytes);
}

std::span<std::byte> HostCollective::received(std::size_t call) const {
  return std::as_writable_bytes(receive_.values()).subspan(start(call), shape_.receive * bytes_of(collective_.type));
}

std::size_t HostCollective::start(std::size_t call) const {
  return call * buffers(collective_, shape_).receive * bytes_of(collective_.type);
}

void HostCollective::prepare(std::uint64_t iteration) {
  iteration_ = iteration;
  for (std::size_t call = 0; call < calls_; ++call) {
    const auto result = received(call);
    std::memset(result.data(), 0xff, result.size());
    if (collective_.operation == Operation::broadcast && rank_ != 0) continue;
    fill(sent(call), collective_.type, pattern(collective_, ranks_, iteration + call), rank_);
  }
}

struct HostCollective::Means {
  MPI_Datatype type;
  MPI_Op op;
  MPI_Comm members;
  const std::byte* from;  // of the first call, as is `to`
  std::byte* to;
  std::size_t from_stride;  // to those of the next call
  std::size_t to_stride;
};

void HostCollective::run(const Means& means) const {
  auto [type, op, members, first_from, first_to, from_stride, to_stride] = means;
  const int whole = static_cast<int>(std::max(shape_.send, shape_.receive));
  const int part = whole / ranks_;
  const int next = (rank_ + 1) % ranks_;
  const int previous = (rank_ + ranks_ - 1) % ranks_;
  for (std::size_t call = 0; call < calls_; ++call) {
    void* to = first_to + call * to_stride;
    const void* from = collective_.in_place ? MPI_IN_PLACE : first_from + call * from_stride;
    switch (collective_.operation) {
      case Operation::allreduce:
        require_mpi(MPI_Allreduce(from, to, whole, type, op, members), "MPI_Allreduce");
        break;
      case Operation::all_gather:
        require_mpi(MPI_Allgather(from, part, type, to, part, type, members), "MPI_Allgather");
        break;
      case Operation::reduce_scatter:
        require_mpi(MPI_Reduce_scatter_block(from, to, part, type, op, members), "MPI_Reduce_scatter_block");
        break;
      case Operation::broadcast:
        require_mpi(MPI_Bcast(to, whole, type, 0, members), "MPI_Bcast");
        break;
      case Operation::all_to_all:
        require_mpi(MPI_Alltoall(from, part, type, to, part, type, members), "MPI_Alltoall");
        break;
      case Operation::send_receive:
        if (collective_.in_place)
          require_mpi(MPI_Sendrecv_replace(to, whole, type, next, 0, previous, 0, members, MPI_STATUS_IGNORE),
                      "MPI_Sendrecv_replace");
        else
          require_mpi(
              MPI_Sendrecv(from, whole, type, next, 0, to, whole, type, previous, 0, members, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
        break;
    }
  }
}

double HostCollective::seconds() {
  const Means means{.type = mpi_type(collective_.type),
                    .op = mpi_op(collective_.reduction),
                    .members = communicator(members_),
                    .from = sent(0).data(),
                    .to = received(0).data(),
                    .from_stride = sent(0).size(),
                    .to_stride = start(1)};
  job_.barrier();
  const Steps::Inside inside(job_.steps());
  const auto start = std::chrono::steady_clock::now();
  run(means);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

WrongElements HostCollective::verify() {
  WrongElements all;
  for (std::size_t call = 0; call < calls_; ++call) {
    auto wrong = benchmarks::verify(received(call), collective_, shape_,
                                    pattern(collective_, ranks_, iteration_ + call), rank_, ranks_);
    if (wrong.first) wrong.first->index += call * shape_.receive;
    if (!all.first) all.first = wrong.first;
    all.count += wrong.count;
  }
  return all;
}

}  // namespace muster::benchmarks::mpi
