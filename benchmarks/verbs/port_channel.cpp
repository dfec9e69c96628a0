// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/port_channel.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "benchmarks/error.hpp"
#include "benchmarks/verbs/ping_pong.hpp"

namespace muster::benchmarks::verbs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds extra(4);  // of max_ending_time, for the least number of samples
static_assert(max_ending_time - extra > completion_timeout);
constexpr std::chrono::milliseconds attention(20);  // how long it keeps looking where nothing moves
constexpr std::chrono::microseconds nap(200);       // then between looks: 1 % of any time that is measured

// Looks after lanes, all the time or, where nothing has moved lately, now and then: others need the core too, as
// software devices do to write to this memory or read it.
class Keeper {
 public:
  explicit Keeper(std::span<PortChannel> lanes) : lanes_(lanes) {}

  void pump() {
    bool moved = false;
    for (PortChannel& lane : lanes_) moved = lane.pump() || moved;
    const auto now = Clock::now();
    if (moved) moved_ = now;
    if (now - moved_ > attention) std::this_thread::sleep_for(nap);
  }

 private:
  std::span<PortChannel> lanes_;
  Clock::time_point moved_ = Clock::now();
};

std::unique_ptr<Initiator> initiator(const RdmaPort& port, const std::string& gpu, const Traffic& traffic) {
  if (traffic.flow == Flow::ping_pong) return std::make_unique<Ping>(port, traffic.operation, traffic.shape);
  return std::make_unique<StreamSource>(port, traffic.operation, traffic.shape, gpu);
}

std::unique_ptr<End> target(const RdmaPort& port, const std::string& gpu, const Traffic& traffic) {
  if (traffic.flow == Flow::ping_pong) return std::make_unique<Pong>(port, traffic.operation, traffic.shape);
  return std::make_unique<StreamTarget>(port, traffic.operation, traffic.shape, gpu);
}

Verified verified(const End& end) {
  try {
    return {.wrong_bytes = end.wrong_bytes(), .problem = {}};
  } catch (const Error& error) {
    return {.wrong_bytes = 0, .problem = error.what()};
  }
}

}  // namespace

template <class Step>
void PortChannel::attempt(const Step& step) {
  try {
    step();
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

const RdmaPort& PortInUse::begin() {
  sent_before_ = port_.sent();
  return *port_.port;
}

std::optional<double> PortInUse::sent_bytes() const {
  const auto now = is_there() ? port_.sent() : std::nullopt;
  return sent_before_ && now ? std::optional(static_cast<double>(*now - *sent_before_)) : std::nullopt;
}

void PortChannel::open_initiator(const Traffic& traffic) {
  if (!initiator_port_.is_there()) return;
  attempt([&] { initiator_ = initiator(initiator_port_.begin(), initiator_port_.gpu(), traffic); });
}

void PortChannel::open_target(const Traffic& traffic) {
  if (!target_port_.is_there()) return;
  attempt([&] { target_ = target(target_port_.begin(), target_port_.gpu(), traffic); });
}

ChannelAddress PortChannel::address() const {
  return {.initiator = initiator_ ? initiator_->address() : ConnectionAddress{},
          .target = target_ ? target_->address() : ConnectionAddress{}};
}

void PortChannel::connect(End& end, const ConnectionAddress& partner) {
  mtus_ = {.own = bytes_of(end.address().mtu), .partners = bytes_of(partner.mtu)};
  end.connect(partner);
}

void PortChannel::connect(const ChannelAddress& partner) {
  attempt([&] {
    if (target_) connect(*target_, partner.initiator);
    if (initiator_) connect(*initiator_, partner.target);
  });
}

void PortChannel::close() {
  initiator_.reset();
  target_.reset();
}

bool PortChannel::is_over() const {
  return !is_open() || ((!initiator_ || initiator_->done()) && (!target_ || target_->done()));
}

bool PortChannel::pump() {
  if (!is_open()) return false;
  bool moved = false;
  attempt([&] {
    if (initiator_) moved = initiator_->pump();
    if (target_) moved = target_->pump() || moved;
  });
  return moved;
}

void PortChannel::verify() {
  if (!is_open()) return;
  if (initiator_) at_initiator_ = verified(*initiator_);
  if (target_) at_target_ = verified(*target_);
}

std::vector<std::optional<Sampled>> drive(std::span<PortChannel> lanes, const Traffic& traffic,
                                          const std::function<void()>& listen) {
  const Budget budget{.end = traffic.end};
  std::vector<Sampling> samplings(lanes.size(), Sampling(traffic.goal));
  Keeper keeper(lanes);
  for (bool more = std::ranges::any_of(lanes, &PortChannel::posts); more;) {
    keeper.pump();
    const bool is_late = Clock::now() - extra > traffic.end;
    more = false;
    for (std::size_t at = 0; at < lanes.size(); ++at) {
      if (!lanes[at].posts()) continue;
      if (const auto value = lanes[at].next()) samplings[at].add(*value);
      const bool has_enough = !traffic.is_both_ways && samplings[at].reached();
      more = more || !(has_enough || is_late || budget.spent(samplings[at].n()));
    }
  }
  for (PortChannel& lane : lanes)
    if (lane.posts()) lane.stop();
  Clock::time_point listened;
  for (auto now = Clock::now();
       !std::ranges::all_of(lanes, &PortChannel::is_over) && now - max_ending_time < traffic.end; now = Clock::now()) {
    keeper.pump();
    if (now - listened > between_news) {
      listen();
      listened = now;
    }
  }
  const auto unit = traffic.flow == Flow::stream ? results::Unit::bit_per_second : results::Unit::second;
  std::vector<std::optional<Sampled>> sampled(lanes.size());
  for (std::size_t at = 0; at < lanes.size(); ++at) {
    if (!lanes[at].is_over()) lanes[at].break_off("the other end did not come to an end");
    if (lanes[at].posts() && samplings[at].n() == 0) lanes[at].break_off("too slow for any measurement");
    lanes[at].verify();
    if (lanes[at].posts()) sampled[at] = std::move(samplings[at]).result(unit);
  }
  return sampled;
}

}  // namespace muster::benchmarks::verbs
