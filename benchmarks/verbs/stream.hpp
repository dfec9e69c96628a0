// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "benchmarks/verbs/queue_pair.hpp"

namespace muster::benchmarks {

// Messages one after the other over a connection, as many under way as it may have.
class Stream {
 public:
  using Clock = std::chrono::steady_clock;

  // `meanwhile` is called while waiting: what the partner in this process has to do.
  Stream(QueuePair& pair, RdmaOperation operation, std::size_t depth, std::function<void()> meanwhile);

  // Seconds from the end of the last call (at first, from the beginning) until so many more messages, rounded up to
  // what is told of together, are complete. Throws Error when nothing completes for a while.
  double advance(std::size_t messages);
  // Waits until nothing is under way any more.
  void drain();
  std::size_t messages() const { return completed_; }

 private:
  void post();
  void wait();

  QueuePair& pair_;
  RdmaOperation operation_;
  std::size_t depth_;
  std::size_t together_;  // messages of which the last tells
  std::function<void()> meanwhile_;
  std::size_t posted_ = 0;
  std::size_t completed_ = 0;
  Clock::time_point last_;
};

// Takes the messages that a partner sends, so that there is always room for more: for twice as many as may be under
// way, because a partner that finds none waits.
class Receiver {
 public:
  Receiver(QueuePair& pair, std::size_t depth);
  // Makes room again for what has come.
  void serve();

 private:
  QueuePair& pair_;
  std::size_t posted_ = 0;
};

}  // namespace muster::benchmarks
