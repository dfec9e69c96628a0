// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "benchmarks/host/mapping.hpp"
#include "benchmarks/verbs/queue_pair.hpp"

// Messages one after the other over a connection, as many under way as it may have: one end, the initiator, posts them;
// the other, the target, may be in another process. Nothing here waits.
namespace muster::benchmarks {

struct MessageShape {
  std::size_t bytes = std::size_t{64} << 10;  // of a message, a multiple of 8
  std::size_t depth = 128;                    // messages under way at once; both as perftest
};

// Whether an operation brings data to the end that posts it.
constexpr bool comes_back(RdmaOperation operation) { return operation == RdmaOperation::read; }

// What both ends have: a queue pair, and memory that is sent from or written to.
class StreamEnd {
 public:
  QueuePairAddress address() const { return pair_.address(); }
  // Of the memory that data came to, after the end; 0 where they went the other way.
  std::size_t wrong_bytes() const;

 protected:
  // `room` is for posts of each direction. Throws Error.
  StreamEnd(const RdmaPort& port, const MessageShape& shape, std::size_t room, bool takes_data);
  // Connects, and fills what will be sent. Throws Error.
  void connect(const QueuePairAddress& partner);
  QueuePair& pair() { return pair_; }

 private:
  std::span<std::byte> bytes() const { return std::as_writable_bytes(memory_.values()); }

  bool takes_data_;
  Mapping memory_;
  QueuePair pair_;
  std::uint64_t seed_ = 0;
};

class Initiator : public StreamEnd {
 public:
  Initiator(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape);
  using StreamEnd::connect;

  // Posts what may be under way and takes what is complete. Throws Error when an operation failed, or none was complete
  // for a while.
  void pump();
  // Whether as many are complete as may be under way, beyond those that rate() has told of and those that the
  // connection began with. Fewer would come in one burst or in none.
  bool has_more() const { return counts_ && completed_ >= counted_ + shape_.depth; }
  // Bits per second of payload, from one completion to another, of what is complete since the last call.
  double rate();

  // From now on pump() posts nothing more, and tells the partner when nothing is under way any more.
  void stop() { stopping_ = true; }
  bool done() const { return done_; }
  // The bytes of all messages.
  double payload() const { return static_cast<double>(completed_ * shape_.bytes); }

 private:
  using Clock = std::chrono::steady_clock;

  void post();

  RdmaOperation operation_;
  MessageShape shape_;
  std::size_t together_;  // messages of which the last tells
  std::size_t posted_ = 0;
  std::size_t completed_ = 0;
  std::size_t counted_ = 0;
  bool counts_ = false;     // from the first completion on
  Clock::time_point from_;  // when those that are counted were complete
  Clock::time_point last_;  // completion; at first, when pump() was first called
  bool begun_ = false;
  bool stopping_ = false;
  bool marked_ = false;
  bool done_ = false;
};

class Target : public StreamEnd {
 public:
  Target(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape);
  // Connects, and makes room for messages.
  void connect(const QueuePairAddress& partner);
  // Makes room again for what has come. Throws Error.
  void serve();
  // Whether the initiator has told that it is done.
  bool ended() const { return ended_; }

 private:
  std::size_t room_;
  std::size_t posted_ = 0;
  bool ended_ = false;
};

}  // namespace muster::benchmarks
