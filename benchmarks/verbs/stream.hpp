// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/verbs/end.hpp"

// Messages one after the other, as many under way as there may be: the samples are rates.
namespace muster::benchmarks::verbs {

struct MessageShape {
  std::size_t bytes = std::size_t{64} << 10;  // of a message, a multiple of 8
  std::size_t depth = 128;                    // messages under way at once on each queue pair
  std::size_t queue_pairs = 1;                // all as perftest
  std::size_t timeout = usual_timeout;        // of the queue pairs
};

// Of large messages fewer are under way, 64 MiB of all queue pairs or one of each: a connection that has more to bring
// takes long to come to its end.
MessageShape that_fits(MessageShape shape);

class StreamSource final : public Initiator {
 public:
  // The messages are in memory of the GPU at this PCI address, or, of none, of the host.
  StreamSource(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape, const std::string& gpu);

  // Throws also when none was complete for a while.
  bool pump() override;
  bool done() const override { return done_; }
  // Bits per second of payload, from one completion to another. A sample is of a millisecond at least, and of as many
  // messages as may be under way: fewer would come in one burst or in none.
  std::optional<double> next() override;
  double payload() const override { return static_cast<double>(completed_ * shape_.bytes); }

 private:
  using Clock = std::chrono::steady_clock;

  void post();
  bool posts_more(std::size_t pair) const;
  bool is_idle() const;

  RdmaOperation operation_;
  MessageShape shape_;
  std::size_t together_;                // messages of which the last tells
  std::vector<std::size_t> posted_;     // by each queue pair
  std::vector<std::size_t> under_way_;  // of these
  std::size_t completed_ = 0;
  std::size_t counted_ = 0;
  bool counts_ = false;     // from the first completion on
  Clock::time_point from_;  // when those that are counted were complete
  Clock::time_point last_;  // completion; at first, when pump() was first called
  bool begun_ = false;
  bool marked_ = false;
  bool done_ = false;
};

class StreamTarget final : public End {
 public:
  StreamTarget(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape, const std::string& gpu);

  // Connects, and makes room for messages.
  void connect(const ConnectionAddress& partner) override;
  // Makes room again for what has come.
  bool pump() override;
  bool done() const override { return done_; }

 private:
  std::size_t room_;
  std::vector<std::size_t> posted_;  // receives, on each queue pair
  bool done_ = false;
};

}  // namespace muster::benchmarks::verbs
