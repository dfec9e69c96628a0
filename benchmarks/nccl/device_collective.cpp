// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/nccl/device_collective.hpp"

#include <algorithm>
#include <vector>

#include "benchmarks/collectives/element.hpp"
#include "benchmarks/cuda/call.hpp"
#include "benchmarks/nccl/call.hpp"

namespace muster::benchmarks::nccl {
namespace {

ncclDataType_t nccl_type(DataType type) {
  switch (type) {
    case DataType::float32:
      return ncclFloat32;
    case DataType::float64:
      return ncclFloat64;
    case DataType::float16:
      return ncclFloat16;
    case DataType::bfloat16:
      return ncclBfloat16;
    case DataType::int8:
      return ncclInt8;
    case DataType::int32:
      return ncclInt32;
    case DataType::int64:
      return ncclInt64;
    case DataType::uint64:
      break;
  }
  return ncclUint64;
}

ncclRedOp_t nccl_op(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
      return ncclSum;
    case Reduction::prod:
      return ncclProd;
    case Reduction::min:
      return ncclMin;
    case Reduction::max:
      return ncclMax;
    case Reduction::avg:
      break;
  }
  return ncclAvg;
}

}  // namespace

DeviceCollective::DeviceCollective(const Collective& collective, std::size_t bytes, DeviceJob& job, std::size_t calls,
                                   bool registered)
    : collective_(collective), shape_(shape(collective, bytes, job.members().size())), job_(job), calls_(calls) {
  together(job.job(), [&] {
    const auto element = bytes_of(collective.type);
    const auto [send, receive] = buffers(collective, shape_);
    if (send > 0) send_ = device_memory(calls * send * element);
    receive_ = device_memory(calls * receive * element);
    if (registered && send_) sending_.emplace(job.communicator(), send_.get(), calls * send * element);
    if (registered) receiving_.emplace(job.communicator(), receive_.get(), calls * receive * element);
    wrong_ = device_memory(calls * sizeof(cuda::WrongOnDevice));
  });
  prepare(0);
  job.run([&] { enqueue(0); });
}

// NCCL's places in one buffer: an all-gather's own part is read where the result has it, and a reduce-scatter's result
// is written where the own part was.
std::byte* DeviceCollective::sent(std::size_t call) const {
  const auto bytes = shape_.send * bytes_of(collective_.type);
  if (!collective_.in_place) return static_cast<std::byte*>(send_.get()) + call * bytes;
  const bool own_part = collective_.operation == Operation::all_gather;
  const auto whole = buffers(collective_, shape_).receive * bytes_of(collective_.type);
  return static_cast<std::byte*>(receive_.get()) + call * whole +
         (own_part ? static_cast<std::size_t>(job_.members().rank()) * bytes : 0);
}

std::byte* DeviceCollective::received(std::size_t call) const {
  const auto bytes = shape_.receive * bytes_of(collective_.type);
  const auto whole = buffers(collective_, shape_).receive * bytes_of(collective_.type);
  const bool own_part = collective_.in_place && collective_.operation == Operation::reduce_scatter;
  return static_cast<std::byte*>(receive_.get()) + call * whole +
         (own_part ? static_cast<std::size_t>(job_.members().rank()) * bytes : 0);
}

void DeviceCollective::prepare(std::uint64_t iteration) {
  iteration_ = iteration;
  for (std::size_t call = 0; call < calls_; ++call) {
    cuda::require_cuda(
        cudaMemsetAsync(received(call), 0xff, shape_.receive * bytes_of(collective_.type), job_.stream()),
        "cudaMemsetAsync");
    const bool only_receives =
        collective_.operation == Operation::broadcast && collective_.in_place && job_.members().rank() != 0;
    if (!only_receives)
      cuda::fill_on_device(sent(call), shape_.send, collective_.type, pattern_of(call), job_.members().rank(),
                           job_.stream());
  }
}

void DeviceCollective::enqueue(std::size_t call) const {
  const auto type = nccl_type(collective_.type);
  const auto op = nccl_op(collective_.reduction);
  const auto* from = sent(call);
  auto* to = received(call);
  const auto comm = job_.communicator();
  const auto stream = job_.stream();
  const int rank = job_.members().rank();
  const int ranks = job_.members().size();
  switch (collective_.operation) {
    case Operation::allreduce:
      return require_nccl(ncclAllReduce(from, to, shape_.send, type, op, comm, stream), "ncclAllReduce");
    case Operation::all_gather:
      return require_nccl(ncclAllGather(from, to, shape_.send, type, comm, stream), "ncclAllGather");
    case Operation::reduce_scatter:
      return require_nccl(ncclReduceScatter(from, to, shape_.receive, type, op, comm, stream), "ncclReduceScatter");
    case Operation::broadcast:
      return require_nccl(ncclBroadcast(from, to, shape_.send, type, 0, comm, stream), "ncclBroadcast");
    case Operation::all_to_all:
    case Operation::send_receive:
      break;
  }
  require_nccl(ncclGroupStart(), "ncclGroupStart");
  if (collective_.operation == Operation::send_receive) {
    require_nccl(ncclSend(from, shape_.send, type, (rank + 1) % ranks, comm, stream), "ncclSend");
    require_nccl(ncclRecv(to, shape_.receive, type, (rank + ranks - 1) % ranks, comm, stream), "ncclRecv");
  } else {
    const auto part = shape_.send / static_cast<std::size_t>(ranks);
    for (int peer = 0; peer < ranks; ++peer) {
      const auto offset = static_cast<std::size_t>(peer) * part * bytes_of(collective_.type);
      require_nccl(ncclSend(from + offset, part, type, peer, comm, stream), "ncclSend");
      require_nccl(ncclRecv(to + offset, part, type, peer, comm, stream), "ncclRecv");
    }
  }
  require_nccl(ncclGroupEnd(), "ncclGroupEnd");
}

double DeviceCollective::seconds() {
  return job_.aligned_seconds([&] {
    for (std::size_t call = 0; call < calls_; ++call) enqueue(call);
  });
}

WrongElement DeviceCollective::wrong_at(std::size_t call, std::size_t index) const {
  const int rank = job_.members().rank();
  const int ranks = job_.members().size();
  const auto size = bytes_of(collective_.type);
  WrongElement wrong{.index = call * shape_.receive + index};
  cuda::require_cuda(cudaMemcpy(&wrong.found_bits, received(call) + index * size, size, cudaMemcpyDefault),
                     "cudaMemcpy");
  const auto whole = expected(collective_, shape_, pattern_of(call), rank, ranks, index);
  wrong.expected_bits = with_type(
      collective_.type, [&](auto element) { return std::uint64_t{element.bits(whole, divisor(collective_, ranks))}; });
  return wrong;
}

WrongElements DeviceCollective::verify() {
  std::vector<cuda::WrongOnDevice> found(calls_);
  const auto bytes = found.size() * sizeof(cuda::WrongOnDevice);
  auto* on_device = static_cast<cuda::WrongOnDevice*>(wrong_.get());
  cuda::require_cuda(cudaMemcpyAsync(on_device, found.data(), bytes, cudaMemcpyDefault, job_.stream()),
                     "cudaMemcpyAsync");
  for (std::size_t call = 0; call < calls_; ++call)
    cuda::verify_on_device(received(call), collective_, shape_, pattern_of(call), job_.members().rank(),
                           job_.members().size(), on_device + call, job_.stream());
  cuda::require_cuda(cudaMemcpyAsync(found.data(), on_device, bytes, cudaMemcpyDefault, job_.stream()),
                     "cudaMemcpyAsync");
  job_.wait();
  WrongElements all;
  for (std::size_t call = 0; call < calls_; ++call) {
    all.count += found[call].count;
    if (!all.first && found[call].count > 0) all.first = wrong_at(call, found[call].first);
  }
  return all;
}

}  // namespace muster::benchmarks::nccl
