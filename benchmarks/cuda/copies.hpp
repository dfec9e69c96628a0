// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "benchmarks/cuda/stopwatch.hpp"
#include "benchmarks/cuda/word_kernels.hpp"

namespace muster::benchmarks::cuda {

enum class CopyEngine { engine, kernel };

// A copy between two memories that a device does, of whole words; host memory must be pinned.
struct Copy {
  int device = 0;
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
  CopyEngine mover = CopyEngine::engine;
  std::size_t times = 1;  // one after the other, timed together
};

constexpr Copy repeated(Copy copy, std::size_t times) {
  copy.times = times;
  return copy;
}

// Once, and of its first bytes alone.
constexpr Copy shortened(Copy copy, std::size_t bytes) {
  copy.bytes = bytes;
  copy.times = 1;
  return copy;
}

// Copies that start together.
class Copies {
 public:
  // The seconds of each, by its device's clock; `meanwhile` is called when they have started. Throws Error.
  std::vector<double> seconds(std::span<const Copy> copies, const std::function<void()>& meanwhile = {});

 private:
  Stopwatch& lane(int device, std::size_t number);

  std::map<std::pair<int, std::size_t>, std::unique_ptr<Stopwatch>> lanes_;  // by device
};

// One copy by the driver, from or to memory of the host that is not pinned, by the host's clock. Throws Error.
double host_timed_seconds(const Copy& copy);

// Lets the device reach the memory of another; false where it cannot. Throws Error.
bool reach_peer(int device, int peer);

// Words in a device's memory, filled and looked at where they are. Both throw Error.
void fill_words(int device, const DeviceWords& words, const WordPattern& pattern);
std::uint64_t count_wrong_words(int device, const DeviceWords& words, const WordPattern& pattern);

}  // namespace muster::benchmarks::cuda
