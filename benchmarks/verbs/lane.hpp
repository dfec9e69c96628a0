// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/sampler.hpp"
#include "benchmarks/verbs/end.hpp"
#include "benchmarks/verbs/port.hpp"
#include "benchmarks/verbs/stream.hpp"

namespace muster::benchmarks {

// How messages follow each other: as many under way as may be, or to and fro, one at a time.
enum class Flow { stream, ping_pong };

struct Traffic {
  Flow flow = Flow::stream;
  RdmaOperation operation = RdmaOperation::write;
  MessageShape shape;
  Goal goal;
  std::chrono::steady_clock::time_point end;  // of sampling, if that does not end before
};

// A port, null where there is none to use, and the bytes that its counters say it has sent; nothing where nobody
// counts.
struct CountedPort {
  const RdmaPort* port = nullptr;
  std::function<std::optional<std::int64_t>()> sent;
};

// What this process has of the traffic between two ports: the end that posts the operations, the other, or in loop-back
// both. What goes wrong is its problem, and ends it; nothing is thrown.
class Lane {
 public:
  explicit Lane(CountedPort port) : port_(std::move(port)) {}

  enum class Ends { initiator, target, both };
  void open(const Traffic& traffic, Ends ends);
  // Where this process has one end.
  QueuePairAddress address() const { return initiator_ ? initiator_->address() : target_->address(); }
  void connect(const QueuePairAddress& partner);
  // Where it has both.
  void connect();
  // Gives up the ends.
  void close();

  bool is_open() const { return problem_.empty() && (initiator_ || target_); }
  bool posts() const { return is_open() && initiator_; }
  bool is_over() const;
  const std::string& problem() const { return problem_; }
  void break_off(std::string problem) { problem_ = std::move(problem); }

  // As Initiator.
  void pump();
  std::optional<double> next() { return initiator_->next(); }
  void stop() { initiator_->stop(); }

  // What came of it, as far as this process knows.
  bool port_is_lost() const { return port_.port != nullptr && !port_.port->is_active(); }
  double payload_bytes() const { return initiator_ ? initiator_->payload() : 0; }
  std::size_t wrong_bytes() const;
  std::optional<double> sent_bytes() const;

 private:
  template <class Step>
  void attempt(const Step& step);

  CountedPort port_;
  std::optional<std::int64_t> sent_before_;
  std::unique_ptr<Initiator> initiator_;
  std::unique_ptr<End> target_;
  std::string problem_;
};

// Lets all lanes run side by side until the goal is reached with every one that posts or the time is over, and each to
// its end. Bits per second of payload, or of messages to and fro seconds; nothing of a lane that does not post or
// broke.
std::vector<std::optional<Sampled>> drive(std::span<Lane> lanes, const Traffic& traffic);

}  // namespace muster::benchmarks
