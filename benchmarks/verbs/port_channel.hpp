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

#include "benchmarks/sampling/sampler.hpp"
#include "benchmarks/verbs/end.hpp"
#include "benchmarks/verbs/port.hpp"
#include "benchmarks/verbs/stream.hpp"

namespace muster::benchmarks::verbs {

// How messages follow each other: as many under way as may be, or to and fro, one at a time.
enum class Flow { stream, ping_pong };

// How long traffic may go on after the end of its sampling: 4 s for the least number of samples of a slow lane, and
// then until an end that hangs has used up its completion_timeout.
constexpr std::chrono::seconds max_ending_time(10);

// How often an end that waits asks what the other has told.
constexpr std::chrono::milliseconds between_news(1);

struct Traffic {
  Flow flow = Flow::stream;
  bool is_both_ways = false;  // at the same time, and then until the end
  RdmaOperation operation = RdmaOperation::write;
  MessageShape shape;
  SamplingGoal goal;
  // Of sampling, if that does not end before; later by what it takes to make the ends.
  std::chrono::steady_clock::time_point end;
};

// A port, null where there is none to use, the GPU whose memory it uses, if any, and the bytes that its counters say it
// has sent; nothing where nobody counts.
struct CountedPort {
  const RdmaPort* port = nullptr;
  std::string gpu;
  std::function<std::optional<std::int64_t>()> sent;
};

// The port of an end, from its opening on.
class PortInUse {
 public:
  explicit PortInUse(CountedPort port) : port_(std::move(port)) {}

  bool is_there() const { return port_.port != nullptr; }
  // Counts from now on what it sends.
  const RdmaPort& begin();
  const std::string& gpu() const { return port_.gpu; }
  bool is_lost() const { return is_there() && !port_.port->is_active(); }
  // Since begin().
  std::optional<double> sent_bytes() const;

 private:
  CountedPort port_;
  std::optional<std::int64_t> sent_before_;
};

// Of the ends that a process has of a lane.
struct ChannelAddress {
  ConnectionAddress initiator;
  ConnectionAddress target;
};

// Of what came to an end: how many bytes are wrong, or why nobody can tell.
struct Verified {
  std::size_t wrong_bytes = 0;
  std::string problem;
};

// The bytes of a packet that the ports of both ends take at most; none before they are connected.
struct Mtus {
  std::size_t own = 0;
  std::size_t partners = 0;
};

// What this process, or thread, has of the traffic between two ports: the end that posts the operations, the other, or
// both where both ports post. What goes wrong is its problem, and ends it; nothing is thrown.
class PortChannel {
 public:
  // The ports of its two ends.
  PortChannel(const CountedPort& initiator, const CountedPort& target)
      : initiator_port_(initiator), target_port_(target) {}

  void open_initiator(const Traffic& traffic);
  void open_target(const Traffic& traffic);
  ChannelAddress address() const;
  // The initiator with the partner's target, and the other way round.
  void connect(const ChannelAddress& partner);
  // Gives up the ends.
  void close();

  bool is_open() const { return problem_.empty() && (initiator_ || target_); }
  bool posts() const { return is_open() && initiator_; }
  bool is_over() const;
  const std::string& problem() const { return problem_; }
  void break_off(std::string problem) { problem_ = std::move(problem); }

  // As Initiator.
  bool pump();
  std::optional<double> next() { return initiator_->next(); }
  void stop() { initiator_->stop(); }
  // Holds what came against what was sent.
  void verify();

  // What came of it, as far as this process knows.
  const PortInUse& initiator_port() const { return initiator_port_; }
  const PortInUse& target_port() const { return target_port_; }
  double payload_bytes() const { return initiator_ ? initiator_->payload() : 0; }
  const Verified& at_initiator() const { return at_initiator_; }
  const Verified& at_target() const { return at_target_; }
  const Mtus& mtus() const { return mtus_; }
  std::string gpudirect() const { return posts() ? initiator_->gpudirect() : ""; }

 private:
  template <class Step>
  void attempt(const Step& step);
  void connect(End& end, const ConnectionAddress& partner);

  PortInUse initiator_port_;
  PortInUse target_port_;
  std::unique_ptr<Initiator> initiator_;
  std::unique_ptr<End> target_;
  std::string problem_;
  Mtus mtus_;
  Verified at_initiator_;
  Verified at_target_;
};

// Lets all lanes run side by side until the goal is reached with every one that posts or the time is over, each to its
// end, and verifies what came. Bits per second of payload, or of messages to and fro seconds; nothing of a lane that
// does not post or broke. As long as it waits for other ends it calls `listen`, which may close lanes.
std::vector<std::optional<Sampled>> drive(std::span<PortChannel> lanes, const Traffic& traffic,
                                          const std::function<void()>& listen);

}  // namespace muster::benchmarks::verbs
