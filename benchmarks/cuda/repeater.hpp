// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/cuda/computation.hpp"
#include "benchmarks/cuda/device_log.hpp"
#include "benchmarks/cuda/handles.hpp"
#include "benchmarks/data/word_memory.hpp"
#include "benchmarks/error.hpp"

namespace muster::benchmarks::cuda {

// A device did not finish what it was given. Whatever waits for it may wait for ever.
class NoAnswer : public Error {
 public:
  using Error::Error;
};

// Has the device that is set when it is made compute the same again and again, and holds every result against the
// first. All but wait() only enqueue, so that several devices work side by side. All throw Error.
class Repeater {
 public:
  // With room for results of so many bytes.
  explicit Repeater(std::size_t bytes);

  cudaStream_t stream() const { return stream_.get(); }

  void compute_first(Computation& computation);
  void repeat(Computation& computation, std::size_t times);
  // The seconds of each repetition since the last wait. Throws NoAnswer.
  std::vector<double> wait(std::chrono::milliseconds timeout);

  // Of the first result, once it was waited for: what it is on the device, its hash, and all of it.
  const std::uint64_t* first() const { return static_cast<const std::uint64_t*>(first_.get()); }
  std::uint64_t hash() const;
  std::vector<std::uint64_t> copied() const;
  // How the repetitions since differed from it.
  Mismatches mismatches() const { return log_.read(); }

 private:
  struct Timed {
    Event begin;
    Event end;
  };
  std::uint64_t* first_words() const { return static_cast<std::uint64_t*>(first_.get()); }

  Stream stream_ = make_stream();
  DeviceLog log_;
  MismatchLog* cleared_ = nullptr;
  CudaMemory hash_;
  CudaMemory first_;
  CudaMemory again_;
  std::size_t words_ = 0;
  std::vector<Timed> timed_;
};

}  // namespace muster::benchmarks::cuda
