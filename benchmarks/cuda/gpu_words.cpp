// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/gpu_words.hpp"

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
GpuWords::GpuWords(const VacantMemory& memory)
    : memory_(memory),
      words_{.begin = static_cast<std::uint64_t*>(static_cast<void*>(memory.range().data())),
             .count = memory.range().size() / sizeof(std::uint64_t) / sweep_tile * sweep_tile} {}

Sweep GpuWords::write(const WordPattern& pattern) {
  return sweep([&](MismatchLog*) { write_on_device(words_, pattern, stopwatch_.stream()); });
}

Sweep GpuWords::verify(const WordPattern& pattern) {
  return sweep([&](MismatchLog* log) { verify_on_device(words_, pattern, log, stopwatch_.stream()); });
}

Sweep GpuWords::invert(const WordPattern& pattern, Order order) {
  return sweep([&](MismatchLog* log) { invert_on_device(words_, pattern, order, log, stopwatch_.stream()); });
}

Sweep GpuWords::sweep(const std::function<void(MismatchLog*)>& enqueue) {
  auto* const log = log_.clear(stopwatch_.stream());
  memory_.flush_cache(stopwatch_.stream());
  const double seconds = stopwatch_.seconds([&] { enqueue(log); });
  return {.seconds = seconds, .mismatches = log_.read()};
}

std::uint64_t GpuWords::read_one(std::uint64_t index) {
  memory_.flush_cache(stopwatch_.stream());
  require_cuda(cudaStreamSynchronize(stopwatch_.stream()), "cudaStreamSynchronize");
  std::uint64_t word = 0;
  require_cuda(cudaMemcpy(&word, words_.begin + index, sizeof word, cudaMemcpyDeviceToHost), "cudaMemcpy from the GPU");
  return word;
}

void GpuWords::write_one(std::uint64_t index, std::uint64_t word) {
  require_cuda(cudaMemcpy(words_.begin + index, &word, sizeof word, cudaMemcpyHostToDevice), "cudaMemcpy to the GPU");
}

}  // namespace muster::benchmarks::cuda
