// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "benchmarks/cuda/gate.hpp"
#include "benchmarks/cuda/handles.hpp"

namespace muster::benchmarks::cuda {

// Times what the device that is set does on a stream of its own.
class Stopwatch {
 public:
  using Operation = std::function<void()>;  // enqueues on the stream

  // Throws Error.
  Stopwatch() = default;

  cudaStream_t stream() const { return stream_.get(); }
  // The seconds of each operation; all are enqueued before the first starts. Throws Error.
  std::vector<double> seconds(std::span<const Operation> operations);
  double seconds(const Operation& operation);

  // The same in steps, so that several stopwatches start together: what may make the device wait is there before any of
  // them is closed.
  void make_ready(std::size_t operations);
  void enqueue(std::span<const Operation> operations);
  void start() { closed_.reset(); }
  std::vector<double> finish();

 private:
  Stream stream_ = make_stream();
  Gate gate_;
  std::vector<Event> passed_;
  std::optional<Gate::Closed> closed_;
};

}  // namespace muster::benchmarks::cuda
