// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/cuda/handles.hpp"

namespace muster::benchmarks::cuda {

// Has CUDA load all kernels of this program when it starts, and must come before any other call of it: to load one may
// wait for those that run, and so for ever for a gate before it (CUDA programming guide, lazy loading).
void load_kernels_at_start();

// Holds back what is enqueued on a stream behind it, so that all of it is there when it starts and the device never
// waits for the host while it is timed.
class Gate {
 public:
  // Throws Error.
  Gate();

  // Closed as long as this lives.
  class Closed {
   public:
    // Throws Error when the stream refuses.
    Closed(Gate& gate, cudaStream_t stream);
    ~Closed();
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

   private:
    Gate& gate_;
  };

 private:
  Handle<unsigned, cudaFreeHost> opened_;  // how often; the device reads it
  unsigned closed_ = 0;
};

}  // namespace muster::benchmarks::cuda
