// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/repeater.hpp"

#include <fmt/format.h>

#include <thread>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/cuda/compute_kernels.hpp"
#include "benchmarks/cuda/word_kernels.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr auto moment = std::chrono::microseconds(50);
constexpr double seconds_of_millisecond = 1e-3;

}  // namespace

Repeater::Repeater(std::size_t bytes)
    : hash_(cuda_memory(sizeof(std::uint64_t))), first_(cuda_memory(bytes)), again_(cuda_memory(bytes)) {}

void Repeater::compute_first(Computation& computation) {
  words_ = computation.words();
  cleared_ = log_.clear(stream());
  require_cuda(cudaMemsetAsync(hash_.get(), 0, sizeof(std::uint64_t), stream()), "cudaMemsetAsync");
  computation.enqueue(first_words(), stream());
  hash_on_device(first(), words_, static_cast<std::uint64_t*>(hash_.get()), stream());
}

void Repeater::repeat(Computation& computation, std::size_t times) {
  auto* const again = static_cast<std::uint64_t*>(again_.get());
  for (std::size_t time = 0; time < times; ++time) {
    const auto& timed = timed_.emplace_back(make_event(), make_event());
    require_cuda(cudaEventRecord(timed.begin.get(), stream()), "cudaEventRecord");
    computation.enqueue(again, stream());
    require_cuda(cudaEventRecord(timed.end.get(), stream()), "cudaEventRecord");
    compare_on_device({.begin = again, .count = words_}, first(), cleared_, stream());
  }
}

std::vector<double> Repeater::wait(std::chrono::milliseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const auto state = cudaStreamQuery(stream());
    if (state == cudaSuccess) break;
    if (state != cudaErrorNotReady) require_cuda(state, "work on the GPU");
    if (std::chrono::steady_clock::now() > end)
      throw NoAnswer(fmt::format("no answer within {} s", timeout.count() / 1000));
    std::this_thread::sleep_for(moment);
  }
  std::vector<double> seconds;
  for (const auto& timed : timed_) {
    float milliseconds = 0;
    require_cuda(cudaEventElapsedTime(&milliseconds, timed.begin.get(), timed.end.get()), "cudaEventElapsedTime");
    seconds.push_back(seconds_of_millisecond * static_cast<double>(milliseconds));
  }
  timed_.clear();
  return seconds;
}

std::uint64_t Repeater::hash() const {
  std::uint64_t hash = 0;
  require_cuda(cudaMemcpy(&hash, hash_.get(), sizeof hash, cudaMemcpyDeviceToHost), "cudaMemcpy from the GPU");
  return hash;
}

std::vector<std::uint64_t> Repeater::copied() const {
  std::vector<std::uint64_t> words(words_);
  require_cuda(cudaMemcpy(words.data(), first(), words.size() * sizeof words.front(), cudaMemcpyDeviceToHost),
               "cudaMemcpy from the GPU");
  return words;
}

}  // namespace muster::benchmarks::cuda
