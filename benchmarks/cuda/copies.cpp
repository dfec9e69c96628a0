// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/copies.hpp"

#include <chrono>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/cuda/copy_kernel.hpp"
#include "benchmarks/cuda/device_log.hpp"

namespace muster::benchmarks::cuda {
namespace {

void enqueue(const Copy& copy, cudaStream_t stream) {
  for (std::size_t time = 0; time < copy.times; ++time) {
    if (copy.mover == CopyEngine::kernel)
      copy_by_kernel(copy.to, copy.from, copy.bytes, stream);
    else
      require_cuda(cudaMemcpyAsync(copy.to, copy.from, copy.bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
  }
}

}  // namespace

Stopwatch& Copies::lane(int device, std::size_t number) {
  auto& lane = lanes_[{device, number}];
  if (!lane) lane = std::make_unique<Stopwatch>();
  return *lane;
}

std::vector<double> Copies::seconds(std::span<const Copy> copies, const std::function<void()>& meanwhile) {
  std::vector<Stopwatch*> lanes;
  for (std::size_t number = 0; number < copies.size(); ++number) {
    use_device(copies[number].device);
    lanes.push_back(&lane(copies[number].device, number));
    lanes.back()->make_ready(1);
  }
  const auto start = [&] {
    for (auto* lane : lanes) lane->start();
  };
  try {
    for (std::size_t number = 0; number < copies.size(); ++number) {
      use_device(copies[number].device);
      const Stopwatch::Operation operation = [&, number] { enqueue(copies[number], lanes[number]->stream()); };
      lanes[number]->enqueue(std::span(&operation, 1));
    }
  } catch (...) {
    start();
    throw;
  }
  start();
  if (meanwhile) meanwhile();
  std::vector<double> seconds;
  for (std::size_t number = 0; number < copies.size(); ++number) {
    use_device(copies[number].device);
    seconds.push_back(lanes[number]->finish().front());
  }
  return seconds;
}

double host_timed_seconds(const Copy& copy) {
  use_device(copy.device);
  const auto begin = std::chrono::steady_clock::now();
  require_cuda(cudaMemcpy(copy.to, copy.from, copy.bytes, cudaMemcpyDefault), "cudaMemcpy");
  require_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool reach_peer(int device, int peer) {
  int reachable = 0;
  require_cuda(cudaDeviceCanAccessPeer(&reachable, device, peer), "cudaDeviceCanAccessPeer");
  if (reachable == 0) return false;
  use_device(device);
  const auto result = cudaDeviceEnablePeerAccess(peer, 0);
  if (result == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();  // is no longer the last
  else
    require_cuda(result, "cudaDeviceEnablePeerAccess");
  return true;
}

void fill_words(int device, const DeviceWords& words, const WordPattern& pattern) {
  use_device(device);
  const auto stream = make_stream();
  write_on_device(words, pattern, stream.get());
  require_cuda(cudaStreamSynchronize(stream.get()), "work on the GPU");
}

std::uint64_t count_wrong_words(int device, const DeviceWords& words, const WordPattern& pattern) {
  use_device(device);
  const auto stream = make_stream();
  const DeviceLog log;
  verify_on_device(words, pattern, log.clear(stream.get()), stream.get());
  require_cuda(cudaStreamSynchronize(stream.get()), "work on the GPU");
  return log.read().count;
}

}  // namespace muster::benchmarks::cuda
