// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/stopwatch.hpp"

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks {
namespace {

constexpr double seconds_per_millisecond = 1e-3;

double seconds_between(const Event& start, const Event& stop) {
  float milliseconds = 0;
  require_cuda(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()), "cudaEventElapsedTime");
  return seconds_per_millisecond * static_cast<double>(milliseconds);
}

}  // namespace

std::vector<double> Stopwatch::seconds(std::span<const std::function<void()>> operations) {
  std::vector<Event> passed(operations.size() + 1);
  for (auto& event : passed) event = make_event();
  {
    const Gate::Closed closed(gate_, stream());
    require_cuda(cudaEventRecord(passed.front().get(), stream()), "cudaEventRecord");
    for (std::size_t index = 0; index < operations.size(); ++index) {
      operations[index]();
      require_cuda(cudaEventRecord(passed[index + 1].get(), stream()), "cudaEventRecord");
    }
  }
  require_cuda(cudaStreamSynchronize(stream()), "a kernel");
  std::vector<double> seconds;
  for (std::size_t index = 0; index < operations.size(); ++index)
    seconds.push_back(seconds_between(passed[index], passed[index + 1]));
  return seconds;
}

double Stopwatch::seconds(const std::function<void()>& operation) { return seconds(std::span(&operation, 1)).front(); }

}  // namespace muster::benchmarks
