// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/lane.hpp"

#include <algorithm>

#include "benchmarks/error.hpp"
#include "benchmarks/verbs/ping_pong.hpp"

namespace muster::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience(6);  // longer than that of an initiator, who knows why

void pump(std::span<Lane> lanes) {
  for (Lane& lane : lanes) lane.pump();
}

std::unique_ptr<Initiator> initiator(const RdmaPort& port, const Traffic& traffic) {
  if (traffic.flow == Flow::ping_pong) return std::make_unique<Ping>(port, traffic.operation, traffic.shape.bytes);
  return std::make_unique<StreamSource>(port, traffic.operation, traffic.shape);
}

std::unique_ptr<End> target(const RdmaPort& port, const Traffic& traffic) {
  if (traffic.flow == Flow::ping_pong) return std::make_unique<Pong>(port, traffic.operation, traffic.shape.bytes);
  return std::make_unique<StreamTarget>(port, traffic.operation, traffic.shape);
}

}  // namespace

template <class Step>
void Lane::attempt(const Step& step) {
  try {
    step();
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

void Lane::open(const Traffic& traffic, Ends ends) {
  if (port_.port == nullptr) return;
  attempt([&] {
    sent_before_ = port_.sent();
    if (ends != Ends::target) initiator_ = initiator(*port_.port, traffic);
    if (ends != Ends::initiator) target_ = target(*port_.port, traffic);
  });
}

void Lane::connect(const QueuePairAddress& partner) {
  attempt([&] { initiator_ ? initiator_->connect(partner) : target_->connect(partner); });
}

void Lane::connect() {
  if (!is_open()) return;
  attempt([&] {
    target_->connect(initiator_->address());
    initiator_->connect(target_->address());
  });
}

void Lane::close() {
  initiator_.reset();
  target_.reset();
}

bool Lane::is_over() const {
  return !is_open() || ((!initiator_ || initiator_->done()) && (!target_ || target_->done()));
}

void Lane::pump() {
  if (!is_open()) return;
  attempt([&] {
    if (initiator_) initiator_->pump();
    if (target_) target_->pump();
  });
}

std::size_t Lane::wrong_bytes() const {
  return (initiator_ ? initiator_->wrong_bytes() : 0) + (target_ ? target_->wrong_bytes() : 0);
}

std::optional<double> Lane::sent_bytes() const {
  const auto now = port_.port == nullptr ? std::nullopt : port_.sent();
  return sent_before_ && now ? std::optional(static_cast<double>(*now - *sent_before_)) : std::nullopt;
}

std::vector<std::optional<Sampled>> drive(std::span<Lane> lanes, const Traffic& traffic) {
  const Budget budget{.end = traffic.end};
  std::vector<Sampling> samplings(lanes.size(), Sampling(traffic.goal));
  for (bool more = std::ranges::any_of(lanes, &Lane::posts); more;) {
    pump(lanes);
    more = false;
    for (std::size_t at = 0; at < lanes.size(); ++at) {
      if (!lanes[at].posts()) continue;
      if (const auto value = lanes[at].next()) samplings[at].add(*value);
      more = more || (!samplings[at].reached() && !budget.spent(samplings[at].n()));
    }
  }
  for (Lane& lane : lanes)
    if (lane.posts()) lane.stop();
  const auto end = std::max(Clock::now(), traffic.end);  // which may be the end of time
  while (!std::ranges::all_of(lanes, &Lane::is_over) && Clock::now() - patience < end) pump(lanes);
  const auto unit = traffic.flow == Flow::stream ? results::Unit::bit_per_second : results::Unit::second;
  std::vector<std::optional<Sampled>> sampled(lanes.size());
  for (std::size_t at = 0; at < lanes.size(); ++at) {
    if (!lanes[at].is_over()) lanes[at].break_off("the other end did not come to an end");
    if (lanes[at].posts()) sampled[at] = samplings[at].result(unit);
  }
  return sampled;
}

}  // namespace muster::benchmarks
