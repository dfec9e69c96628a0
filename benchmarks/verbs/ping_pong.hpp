// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "benchmarks/verbs/end.hpp"
#include "benchmarks/verbs/stream.hpp"

// Messages to and fro, one at a time: the samples are latencies. The last 8 bytes of a message are its number.
namespace muster::benchmarks::verbs {

class Ping final : public Initiator {
 public:
  // Whatever the depth of the shape, one message is under way.
  Ping(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape);

  void connect(const ConnectionAddress& partner) override;
  // Throws also when no answer came for a while.
  bool pump() override;
  bool done() const override { return done_; }
  // Seconds of the latest message: half of the time to and fro; for a read, which has no answer but its data, the
  // whole, both as perftest.
  std::optional<double> next() override;
  double payload() const override { return static_cast<double>(number_ * bytes_); }

 private:
  using Clock = std::chrono::steady_clock;

  bool post();
  bool is_answered();
  bool await();
  void expect(std::string_view what) const;

  RdmaOperation operation_;
  std::size_t bytes_;
  std::uint64_t number_ = 0;  // of the latest message
  std::uint64_t seen_ = 0;    // in the latest answer
  std::size_t under_way_ = 0;
  bool waits_ = false;
  Clock::time_point since_;  // the latest message, or the mark, is under way
  std::optional<double> latest_;
  bool marked_ = false;
  bool done_ = false;
};

// Answers each message; what is read of it needs no answer.
class Pong final : public End {
 public:
  Pong(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape);

  void connect(const ConnectionAddress& partner) override;
  bool pump() override;
  bool done() const override { return done_; }

 private:
  bool take();
  bool is_asked();
  void answer();

  RdmaOperation operation_;
  std::uint64_t number_ = 0;
  std::uint64_t seen_ = 0;  // in the latest message
  bool done_ = false;
};

}  // namespace muster::benchmarks::verbs
