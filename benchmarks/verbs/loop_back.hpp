// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "benchmarks/host/mapping.hpp"
#include "benchmarks/verbs/queue_pair.hpp"
#include "benchmarks/verbs/stream.hpp"

namespace muster::benchmarks {

// A stream of messages of one size from a port to itself: both ends of the connection are in this process.
class LoopBack {
 public:
  struct Shape {
    std::size_t bytes = std::size_t{64} << 10;  // of a message, a multiple of 8
    std::size_t depth = 128;                    // messages under way at once; both as perftest
  };

  // Connects, fills what is sent, and finds out how many messages make a sample. Throws Error.
  LoopBack(const RdmaPort& port, RdmaOperation operation, const Shape& shape);

  // Bits per second of payload, of one sample.
  double rate();
  // Ends the stream; the bytes of all its messages.
  double finish();
  // Of the memory that the messages were written to. After finish().
  std::size_t wrong_bytes() const;

 private:
  const Mapping& target() const { return reads_ ? near_memory_ : far_memory_; }
  const Mapping& source() const { return reads_ ? far_memory_ : near_memory_; }

  Shape shape_;
  bool reads_;
  Mapping near_memory_;
  Mapping far_memory_;
  QueuePair near_;
  QueuePair far_;
  std::unique_ptr<Receiver> receiver_;  // of sends
  Stream stream_;
  std::size_t batch_ = 1;  // messages of a sample
};

}  // namespace muster::benchmarks
