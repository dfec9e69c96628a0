// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/copy_ends.hpp"

#include <algorithm>

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
namespace {

// Makes it this thread's device.
CudaMemory memory_of(int device, std::size_t bytes) {
  use_device(device);
  return cuda_memory(bytes);
}

}  // namespace

HostEnd::HostEnd(std::size_t bytes, WordPattern pattern, Pages pages)
    : words_(bytes / sizeof(std::uint64_t)), pattern_(pattern) {
  if (pages == Pages::pinned) {
    pinned_ = pinned_memory(2 * bytes);
    begin_ = static_cast<std::uint64_t*>(pinned_.get());
  } else {
    pageable_.emplace(2 * words_, host::Mapping::Pages::ordinary);
    begin_ = static_cast<std::uint64_t*>(static_cast<void*>(pageable_->values().data()));
  }
  for (std::uint64_t index = 0; index < words_; ++index) source()[index] = pattern_.word(index);
  clear_target();
}

void HostEnd::clear_target() const { std::ranges::fill(target(), 0); }

std::uint64_t HostEnd::wrong_words(const WordPattern& sent) const {
  std::uint64_t wrong = 0;
  for (std::uint64_t index = 0; index < words_; ++index)
    if (target()[index] != sent.word(index)) ++wrong;
  return wrong;
}

DeviceEnd::DeviceEnd(int device, std::size_t bytes, WordPattern pattern)
    : device_(device), words_(bytes / sizeof(std::uint64_t)), pattern_(pattern), memory_(memory_of(device, 2 * bytes)) {
  fill_words(device_, words(0), pattern_);
  clear_target();
}

DeviceWords DeviceEnd::words(std::size_t place) const {
  return {.begin = static_cast<std::uint64_t*>(memory_.get()) + place * words_, .count = words_};
}

void DeviceEnd::clear_target() const { fill_words(device_, words(1), WordPattern{}); }

std::uint64_t DeviceEnd::wrong_words(const WordPattern& sent) const {
  return count_wrong_words(device_, words(1), sent);
}

Copy DeviceEnd::copy(void* to, const void* from, CopyEngine mover) const {
  return {.device = device_, .to = to, .from = from, .bytes = words_ * sizeof(std::uint64_t), .mover = mover};
}

Copy DeviceEnd::from(const HostEnd& host, CopyEngine mover) const {
  return copy(words(1).begin, host.source().data(), mover);
}

Copy DeviceEnd::to(const HostEnd& host, CopyEngine mover) const {
  return copy(host.target().data(), words(0).begin, mover);
}

Copy DeviceEnd::to(const DeviceEnd& peer) const {
  return copy(peer.words(1).begin, words(0).begin, CopyEngine::engine);
}

}  // namespace muster::benchmarks::cuda
