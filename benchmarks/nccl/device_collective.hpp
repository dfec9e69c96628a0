// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "benchmarks/collectives/collective.hpp"
#include "benchmarks/collectives/timed_collective.hpp"
#include "benchmarks/cuda/collective_kernels.hpp"
#include "benchmarks/nccl/device_job.hpp"
#include "benchmarks/nccl/registration.hpp"

namespace muster::benchmarks::nccl {

// A collective of NCCL on device memory, written and verified on the device.
class DeviceCollective final : public TimedCollective {
 public:
  // Buffers for so many calls, each of S bytes (benchmarks/collectives/collective.hpp), which NCCL is told of where
  // they are to be registered. Collective; throws Error.
  DeviceCollective(const Collective& collective, std::size_t bytes, DeviceJob& job, std::size_t calls, bool registered);

  void prepare(std::uint64_t iteration) override;
  double seconds() override;
  WrongElements verify() override;

 private:
  std::byte* sent(std::size_t call) const;
  std::byte* received(std::size_t call) const;
  void enqueue(std::size_t call) const;
  Pattern pattern_of(std::size_t call) const { return pattern(collective_, job_.members().size(), iteration_ + call); }
  WrongElement wrong_at(std::size_t call, std::size_t index) const;

  Collective collective_;
  Shape shape_;
  DeviceJob& job_;
  std::size_t calls_;
  std::uint64_t iteration_ = 0;
  DeviceMemory send_;
  DeviceMemory receive_;
  std::optional<Registration> sending_;
  std::optional<Registration> receiving_;
  DeviceMemory wrong_;  // a WrongOnDevice for each call
};

}  // namespace muster::benchmarks::nccl
