// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/cuda/handles.hpp"
#include "benchmarks/cuda/word_kernels.hpp"

namespace muster::benchmarks::cuda {

// Where sweeps of the device that was set note what they find. All throw Error.
class DeviceLog {
 public:
  DeviceLog();

  // Empty again once the stream comes to it.
  MismatchLog* clear(cudaStream_t stream) const;
  // What it holds when all work has ended.
  Mismatches read() const;

 private:
  CudaMemory memory_;
};

}  // namespace muster::benchmarks::cuda
