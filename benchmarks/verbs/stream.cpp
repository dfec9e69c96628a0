// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/error.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t most_memory = std::size_t{64} << 20;  // of one end, unless one message is more
constexpr std::size_t parts_of_depth = 4;                   // while one is told of, three are under way
constexpr std::chrono::milliseconds least_sample(1);
constexpr std::chrono::seconds patience(5);
constexpr double bits_per_byte = 8;

// Who sends must find room: for twice as many as may be under way, because who finds none waits. The mark needs one.
std::size_t room_for(RdmaOperation operation, const MessageShape& shape) {
  return operation == RdmaOperation::send ? 2 * shape.depth : 1;
}

// All memory is sent, or all is taken.
End::Shape shape_of_end(const MessageShape& shape, std::size_t room, bool takes_data) {
  const auto slots = std::clamp<std::size_t>(most_memory / shape.bytes, 1, shape.depth);
  const End::Part all{.offset = 0, .bytes = slots * shape.bytes};
  return {.slot_bytes = shape.bytes,
          .slots = slots,
          .room = room,
          .inlines = false,
          .given = takes_data ? End::Part{} : all,
          .taken = takes_data ? all : End::Part{}};
}

}  // namespace

StreamSource::StreamSource(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape)
    : Initiator(port, shape_of_end(shape, shape.depth, comes_back(operation))),
      operation_(operation),
      shape_(shape),
      together_(std::max<std::size_t>(1, shape.depth / parts_of_depth)) {}

void StreamSource::post() {
  if (!is_stopping()) {
    for (; posted_ - completed_ + together_ <= shape_.depth; posted_ += together_)
      pair().post(operation_, posted_, together_);
  } else if (completed_ == posted_ && !marked_) {
    pair().post_mark();
    marked_ = true;
  }
}

void StreamSource::pump() {
  if (done_) return;
  if (!begun_) last_ = Clock::now();
  begun_ = true;
  post();
  const auto ended = pair().completed().posts;
  const auto now = Clock::now();
  if (ended > 0) {
    last_ = now;
    if (marked_)
      done_ = true;
    else
      completed_ += ended * together_;
    if (!counts_) {
      counts_ = true;
      from_ = now;
      counted_ = completed_;
    }
  } else if (now - last_ > patience) {
    throw Error(fmt::format("no {} completed for {} s", to_text(operation_), patience.count()));
  }
}

std::optional<double> StreamSource::next() {
  if (!counts_ || completed_ < counted_ + shape_.depth || last_ - from_ < least_sample) return std::nullopt;
  const std::chrono::duration<double> time = last_ - from_;
  const auto bytes = static_cast<double>((completed_ - counted_) * shape_.bytes);
  from_ = last_;
  counted_ = completed_;
  return bits_per_byte * bytes / time.count();
}

StreamTarget::StreamTarget(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape)
    : End(port, shape_of_end(shape, room_for(operation, shape), !comes_back(operation))),
      room_(room_for(operation, shape)) {}

void StreamTarget::connect(const QueuePairAddress& partner) {
  End::connect(partner);
  while (posted_ < room_) pair().post_receive(posted_++);
}

void StreamTarget::pump() {
  // All that has come, or the source would soon find no room; but no more, or other lanes would wait.
  for (const auto most = posted_ + room_; !done_ && posted_ < most;) {
    const auto came = pair().completed();
    if (came.messages == 0) return;
    done_ = came.mark;
    for (std::size_t message = 0; message < came.messages; ++message) pair().post_receive(posted_++);
  }
}

}  // namespace muster::benchmarks
