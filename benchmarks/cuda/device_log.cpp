// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/device_log.hpp"

#include <algorithm>
#include <span>

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {

DeviceLog::DeviceLog() : memory_(cuda_memory(sizeof(MismatchLog))) {}

MismatchLog* DeviceLog::clear(cudaStream_t stream) const {
  require_cuda(cudaMemsetAsync(memory_.get(), 0, sizeof(MismatchLog), stream), "cudaMemsetAsync");
  return static_cast<MismatchLog*>(memory_.get());
}

Mismatches DeviceLog::read() const {
  MismatchLog log;
  require_cuda(cudaMemcpy(&log, memory_.get(), sizeof log, cudaMemcpyDeviceToHost), "cudaMemcpy from the GPU");
  Mismatches all{.count = log.count, .differing = log.differing, .first = {}};
  const auto noted = std::span(log.noted).first(std::min<std::size_t>(log.count, MismatchLog::most));
  if (!noted.empty()) all.first = *std::ranges::min_element(noted, {}, &Mismatch::index);
  return all;
}

}  // namespace muster::benchmarks::cuda
