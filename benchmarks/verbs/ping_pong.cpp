// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/ping_pong.hpp"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <span>
#include <thread>
#include <utility>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::verbs {
namespace {

using Number = std::uint64_t;

constexpr std::size_t ping_slot = 0;
constexpr std::size_t pong_slot = 1;
constexpr std::size_t room = 8;  // completions of writes may lag behind their answers
constexpr int looks = 4096;      // for a message, before an end looks at anything else and lets others have its core

// Written by the adapter while this process looks at it; it writes the end of a message last.
std::atomic_ref<Number> number_in(std::span<std::byte> message) {
  return std::atomic_ref(*std::bit_cast<Number*>(message.last(sizeof(Number)).data()));
}

Number arrived(std::span<std::byte> message) { return number_in(message).load(std::memory_order_acquire); }

// What goes and comes beside the numbers. A message that is read has none, and comes whole.
End::Shape shape_of_end(RdmaOperation operation, const MessageShape& shape, bool pings) {
  const auto bytes = shape.bytes;
  const auto beside = [&](std::size_t slot) {
    return End::SlotRange{.offset = slot * bytes, .bytes = bytes - sizeof(Number)};
  };
  const bool comes = comes_back(operation);
  const End::SlotRange whole{.offset = 0, .bytes = bytes};
  const auto ping = comes ? End::SlotRange{} : beside(ping_slot);
  const auto pong = comes ? whole : beside(pong_slot);
  return {.slot_bytes = bytes,
          .slots = 2,
          .room = room,
          .timeout = shape.timeout,
          .inlines = !comes,
          .given = pings ? ping : pong,
          .received = pings ? pong : ping};
}

}  // namespace

Ping::Ping(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape)
    : Initiator(port, shape_of_end(operation, shape, true)), operation_(operation), bytes_(shape.bytes) {}

void Ping::connect(const ConnectionAddress& partner) {
  Initiator::connect(partner);
  if (operation_ == RdmaOperation::send) connection().post_receive(0, pong_slot);
}

// Throws where it is too long ago that the latest message was posted.
void Ping::expect(std::string_view what) const {
  if (Clock::now() - since_ > completion_timeout)
    throw Error(fmt::format("no {} {} for {} s", to_text(operation_), what, completion_timeout.count()));
}

bool Ping::post() {
  if (under_way_ == room) return false;
  if (is_stopping()) {
    since_ = Clock::now();
    connection().post_mark();
    marked_ = true;
  } else {
    if (!comes_back(operation_)) number_in(slot(ping_slot)).store(number_ + 1, std::memory_order_release);
    since_ = Clock::now();
    connection().post(0, operation_, ping_slot, 1);
    ++number_;
    waits_ = true;
  }
  ++under_way_;
  return true;
}

// By a write memory tells it, before any completion does.
bool Ping::is_answered() {
  if (operation_ == RdmaOperation::write) return arrived(slot(pong_slot)) != seen_;
  const auto came = connection().completed().front();
  under_way_ -= came.posts;
  return comes_back(operation_) ? came.posts > 0 : came.messages > 0;
}

bool Ping::await() {
  for (int look = 0; look < looks; ++look) {
    if (!is_answered()) continue;
    const std::chrono::duration<double> time = Clock::now() - since_;
    latest_ = comes_back(operation_) ? time.count() : time.count() / 2;
    waits_ = false;
    if (comes_back(operation_)) return true;
    seen_ = arrived(slot(pong_slot));
    if (seen_ != number_) count_wrong(sizeof(Number));
    if (operation_ == RdmaOperation::send) connection().post_receive(0, pong_slot);
    return true;
  }
  if (operation_ == RdmaOperation::write) under_way_ -= connection().completed().front().posts;  // or it failed
  expect("was answered");
  std::this_thread::yield();
  return false;
}

bool Ping::pump() {
  if (done_) return false;
  if (waits_) return await();
  const auto completed = connection().completed().front().posts;
  under_way_ -= completed;
  bool posted = false;
  if (marked_)
    done_ = under_way_ == 0;
  else if (!latest_ || is_stopping())
    posted = post();
  if (completed == 0 && !posted) expect("completed");
  return completed > 0 || posted;
}

std::optional<double> Ping::next() { return std::exchange(latest_, std::nullopt); }

Pong::Pong(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape)
    : End(port, shape_of_end(operation, shape, false)), operation_(operation) {}

void Pong::connect(const ConnectionAddress& partner) {
  End::connect(partner);
  connection().post_receive(0, ping_slot);  // for the first message, or the mark
}

// Whether a message is among what has come.
bool Pong::take() {
  const auto came = connection().completed().front();
  done_ = came.mark;
  return came.messages > 0 && !done_;
}

void Pong::answer() {
  seen_ = arrived(slot(ping_slot));
  if (operation_ == RdmaOperation::send) connection().post_receive(0, ping_slot);
  if (seen_ != ++number_) count_wrong(sizeof(Number));
  number_in(slot(pong_slot)).store(number_, std::memory_order_release);
  connection().post(0, operation_, pong_slot, 1);
}

bool Pong::is_asked() { return operation_ == RdmaOperation::write ? arrived(slot(ping_slot)) != seen_ : take(); }

bool Pong::pump() {
  bool asked = false;
  for (int look = 0; look < looks && !asked && !done_ && !comes_back(operation_); ++look) asked = is_asked();
  if (asked) answer();
  if (done_) return true;
  if (operation_ != RdmaOperation::send) take();  // the mark, or that answers went
  if (!asked) std::this_thread::yield();
  return asked;
}

}  // namespace muster::benchmarks::verbs
