// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/error.hpp"
#include "benchmarks/message_data.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t most_memory = std::size_t{64} << 20;  // of one end, unless one message is more
constexpr std::size_t parts_of_depth = 4;                   // while one is told of, three are under way
constexpr std::chrono::seconds patience(5);
constexpr double bits_per_byte = 8;

std::size_t doubles(const MessageShape& shape) {
  return std::clamp<std::size_t>(most_memory / shape.bytes, 1, shape.depth) * shape.bytes / sizeof(double);
}

// Who sends must find room: for twice as many as may be under way, because who finds none waits. The mark needs one.
std::size_t room_for(RdmaOperation operation, const MessageShape& shape) {
  return operation == RdmaOperation::send ? 2 * shape.depth : 1;
}

}  // namespace

StreamEnd::StreamEnd(const RdmaPort& port, const MessageShape& shape, std::size_t room, bool takes_data)
    : takes_data_(takes_data), memory_(doubles(shape)), pair_(port, bytes(), shape.bytes, room) {}

void StreamEnd::connect(const QueuePairAddress& partner) {
  pair_.connect(partner);
  const auto source = takes_data_ ? partner : pair_.address();
  seed_ = source.memory + source.number;  // data of another connection are wrong
  if (!takes_data_) fill(bytes(), seed_);
}

std::size_t StreamEnd::wrong_bytes() const { return takes_data_ ? benchmarks::wrong_bytes(bytes(), seed_) : 0; }

Initiator::Initiator(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape)
    : StreamEnd(port, shape, shape.depth, comes_back(operation)),
      operation_(operation),
      shape_(shape),
      together_(std::max<std::size_t>(1, shape.depth / parts_of_depth)) {}

void Initiator::post() {
  if (!stopping_) {
    for (; posted_ - completed_ + together_ <= shape_.depth; posted_ += together_)
      pair().post(operation_, posted_, together_);
  } else if (completed_ == posted_ && !marked_) {
    pair().post_mark();
    marked_ = true;
  }
}

void Initiator::pump() {
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

double Initiator::rate() {
  const std::chrono::duration<double> time = last_ - from_;
  const auto bytes = static_cast<double>((completed_ - counted_) * shape_.bytes);
  from_ = last_;
  counted_ = completed_;
  return bits_per_byte * bytes / time.count();
}

Target::Target(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape)
    : StreamEnd(port, shape, room_for(operation, shape), !comes_back(operation)), room_(room_for(operation, shape)) {}

void Target::connect(const QueuePairAddress& partner) {
  StreamEnd::connect(partner);
  while (posted_ < room_) pair().post_receive(posted_++);
}

void Target::serve() {
  // All that has come, or the initiator would soon find no room; but no more, or other lanes would wait.
  for (const auto most = posted_ + room_; !ended_ && posted_ < most;) {
    const auto came = pair().completed();
    if (came.posts == 0) return;
    ended_ = came.mark;
    for (std::size_t message = 0; message < came.posts; ++message) pair().post_receive(posted_++);
  }
}

}  // namespace muster::benchmarks
