// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/ping_pong.hpp"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <span>
#include <utility>

#include "benchmarks/error.hpp"

namespace muster::benchmarks {
namespace {

using Number = std::uint64_t;

constexpr std::size_t ping_slot = 0;
constexpr std::size_t pong_slot = 1;
constexpr std::size_t room = 8;  // completions of writes may lag behind their answers

// Written by the adapter while this process looks at it; it writes the end of a message last.
std::atomic_ref<Number> number_in(std::span<std::byte> message) {
  return std::atomic_ref(*std::bit_cast<Number*>(message.last(sizeof(Number)).data()));
}

// What goes and comes beside the numbers. A message that is read has none, and comes whole.
End::Shape shape_of_end(RdmaOperation operation, const MessageShape& shape, bool pings) {
  const auto bytes = shape.bytes;
  const auto beside = [&](std::size_t slot) {
    return End::Part{.offset = slot * bytes, .bytes = bytes - sizeof(Number)};
  };
  const bool comes = comes_back(operation);
  const End::Part whole{.offset = 0, .bytes = bytes};
  const auto ping = comes ? End::Part{} : beside(ping_slot);
  const auto pong = comes ? whole : beside(pong_slot);
  return {.slot_bytes = bytes,
          .slots = 2,
          .room = room,
          .timeout = shape.timeout,
          .inlines = !comes,
          .given = pings ? ping : pong,
          .taken = pings ? pong : ping};
}

}  // namespace

Ping::Ping(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape)
    : Initiator(port, shape_of_end(operation, shape, true)), operation_(operation), bytes_(shape.bytes) {}

void Ping::connect(const ConnectionAddress& partner) {
  Initiator::connect(partner);
  if (operation_ == RdmaOperation::send) connection().post_receive(0, pong_slot);
}

void Ping::post() {
  if (under_way_ == room) return;
  if (is_stopping()) {
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
}

bool Ping::is_answered(const Connection::Completed& came) {
  if (comes_back(operation_)) return came.posts > 0;
  if (operation_ == RdmaOperation::send && came.messages == 0) return false;
  const auto number = number_in(slot(pong_slot)).load(std::memory_order_acquire);
  if (operation_ == RdmaOperation::write && number == seen_) return false;
  seen_ = number;
  if (number != number_) count_wrong(sizeof(Number));
  return true;
}

void Ping::pump() {
  if (done_) return;
  const auto came = connection().completed().front();
  under_way_ -= came.posts;
  if (marked_) {
    done_ = under_way_ == 0;
  } else if (!waits_) {
    if (!latest_ || is_stopping()) post();
  } else if (is_answered(came)) {
    const std::chrono::duration<double> time = Clock::now() - since_;
    latest_ = comes_back(operation_) ? time.count() : time.count() / 2;
    waits_ = false;
    if (operation_ == RdmaOperation::send) connection().post_receive(0, pong_slot);
  } else if (Clock::now() - since_ > patience) {
    throw Error(fmt::format("no {} was answered for {} s", to_text(operation_), patience.count()));
  }
}

std::optional<double> Ping::next() { return std::exchange(latest_, std::nullopt); }

Pong::Pong(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape)
    : End(port, shape_of_end(operation, shape, false)), operation_(operation) {}

void Pong::connect(const ConnectionAddress& partner) {
  End::connect(partner);
  connection().post_receive(0, ping_slot);  // for the first message, or the mark
}

void Pong::pump() {
  if (done_) return;
  const auto came = connection().completed().front();
  done_ = came.mark;
  if (done_ || comes_back(operation_)) return;
  const auto number = number_in(slot(ping_slot)).load(std::memory_order_acquire);
  if (operation_ == RdmaOperation::send ? came.messages == 0 : number == seen_) return;
  seen_ = number;
  if (operation_ == RdmaOperation::send) connection().post_receive(0, ping_slot);
  if (number != ++number_) count_wrong(sizeof(Number));
  number_in(slot(pong_slot)).store(number_, std::memory_order_release);
  connection().post(0, operation_, pong_slot, 1);
}

}  // namespace muster::benchmarks
