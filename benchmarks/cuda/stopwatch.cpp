// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/stopwatch.hpp"

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr double seconds_per_millisecond = 1e-3;

double seconds_between(const Event& start, const Event& stop) {
  float milliseconds = 0;
  require_cuda(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()), "cudaEventElapsedTime");
  return seconds_per_millisecond * static_cast<double>(milliseconds);
}

}  // namespace

std::vector<double> Stopwatch::seconds(std::span<const Operation> operations) {
  make_ready(operations.size());
  enqueue(operations);
  start();
  return finish();
}

double Stopwatch::seconds(const Operation& operation) { return seconds(std::span(&operation, 1)).front(); }

void Stopwatch::make_ready(std::size_t operations) {
  passed_.clear();
  for (std::size_t index = 0; index <= operations; ++index) passed_.push_back(make_event());
}

void Stopwatch::enqueue(std::span<const Operation> operations) {
  try {
    closed_.emplace(gate_, stream());
    require_cuda(cudaEventRecord(passed_.front().get(), stream()), "cudaEventRecord");
    for (std::size_t index = 0; index < operations.size(); ++index) {
      operations[index]();
      require_cuda(cudaEventRecord(passed_[index + 1].get(), stream()), "cudaEventRecord");
    }
  } catch (...) {
    start();  // or whatever waits for the stream would wait for ever
    throw;
  }
}

std::vector<double> Stopwatch::finish() {
  require_cuda(cudaStreamSynchronize(stream()), "work on the GPU");
  std::vector<double> seconds;
  for (std::size_t index = 0; index + 1 < passed_.size(); ++index)
    seconds.push_back(seconds_between(passed_[index], passed_[index + 1]));
  return seconds;
}

}  // namespace muster::benchmarks::cuda
