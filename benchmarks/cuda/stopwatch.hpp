// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "benchmarks/cuda/gate.hpp"
#include "benchmarks/cuda/handles.hpp"

namespace muster::benchmarks {

// Times what the device that is set does on a stream of its own.
class Stopwatch {
 public:
  // Throws Error.
  Stopwatch() = default;

  cudaStream_t stream() const { return stream_.get(); }
  // The seconds of each operation, which enqueues on the stream; all are enqueued before the first starts. Throws
  // Error.
  std::vector<double> seconds(std::span<const std::function<void()>> operations);
  double seconds(const std::function<void()>& operation);

 private:
  Stream stream_ = make_stream();
  Gate gate_;
};

}  // namespace muster::benchmarks
