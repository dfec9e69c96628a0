// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "benchmarks/cuda/copies.hpp"
#include "benchmarks/cuda/handles.hpp"
#include "benchmarks/data/word_pattern.hpp"
#include "benchmarks/host/mapping.hpp"

// The memories between which copies of a GPU go. Each end sends words of its own pattern, and can say how much of what
// it was sent is not the sender's.
namespace muster::benchmarks::cuda {

// Memory of the host, near the CPU that the thread is bound to.
class HostEnd {
 public:
  enum class Pages { pinned, pageable };

  // Bytes are a multiple of a sweep's tile. Throws Error.
  HostEnd(std::size_t bytes, WordPattern pattern, Pages pages);

  std::span<std::uint64_t> source() const { return {begin_, words_}; }
  std::span<std::uint64_t> target() const { return {begin_ + words_, words_}; }
  const WordPattern& pattern() const { return pattern_; }
  void clear_target() const;
  std::uint64_t wrong_words(const WordPattern& sent) const;

 private:
  std::size_t words_;
  WordPattern pattern_;
  PinnedMemory pinned_;
  std::optional<host::Mapping> pageable_;
  std::uint64_t* begin_;
};

// Memory of a device.
class DeviceEnd {
 public:
  // Throws Error.
  DeviceEnd(int device, std::size_t bytes, WordPattern pattern);

  int device() const { return device_; }
  const WordPattern& pattern() const { return pattern_; }
  // All three throw Error.
  void clear_target() const;
  std::uint64_t wrong_words(const WordPattern& sent) const;

  Copy from(const HostEnd& host, CopyEngine mover = CopyEngine::engine) const;
  Copy to(const HostEnd& host, CopyEngine mover = CopyEngine::engine) const;
  Copy to(const DeviceEnd& peer) const;

 private:
  DeviceWords words(std::size_t place) const;
  Copy copy(void* to, const void* from, CopyEngine mover) const;

  int device_;
  std::size_t words_;
  WordPattern pattern_;
  CudaMemory memory_;  // what is sent, and what arrives
};

}  // namespace muster::benchmarks::cuda
