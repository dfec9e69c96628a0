// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::verbs {
namespace {

constexpr std::size_t max_memory = std::size_t{64} << 20;  // of one end, unless a message for each queue pair is more
constexpr std::size_t parts_of_depth = 4;                  // while one is told of, three are under way
constexpr std::chrono::milliseconds min_sample(1);
constexpr double bits_per_byte = 8;

// Who sends must find room: for twice as many as may be under way, because who finds none waits. The mark needs one.
std::size_t room_for(RdmaOperation operation, const MessageShape& shape) {
  return operation == RdmaOperation::send ? 2 * shape.depth : 1;
}

// Each queue pair has memory of its own, or one could hide what another did to it. All is sent, or all is taken.
End::Shape shape_of_end(const MessageShape& shape, std::size_t room, bool takes_data, const std::string& gpu) {
  const End::SlotRange all{.offset = 0, .bytes = shape.queue_pairs * shape.depth * shape.bytes};
  return {.slot_bytes = shape.bytes,
          .slots = shape.queue_pairs * shape.depth,
          .queue_pairs = shape.queue_pairs,
          .room = room,
          .timeout = shape.timeout,
          .inlines = false,
          .gpu = gpu,
          .given = takes_data ? End::SlotRange{} : all,
          .received = takes_data ? all : End::SlotRange{}};
}

}  // namespace

MessageShape that_fits(MessageShape shape) {
  shape.depth = std::clamp<std::size_t>(max_memory / shape.bytes / shape.queue_pairs, 1, shape.depth);
  return shape;
}

StreamSource::StreamSource(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape,
                           const std::string& gpu)
    : Initiator(port, shape_of_end(shape, shape.depth, comes_back(operation), gpu)),
      operation_(operation),
      shape_(shape),
      together_(std::max<std::size_t>(1, shape_.depth / parts_of_depth)),
      posted_(shape.queue_pairs),
      under_way_(shape.queue_pairs) {}

bool StreamSource::is_idle() const {
  return std::ranges::all_of(under_way_, [](std::size_t messages) { return messages == 0; });
}

// All memory goes once in any case.
bool StreamSource::posts_more(std::size_t pair) const {
  const bool fits = under_way_[pair] + together_ <= shape_.depth;
  return fits && (!is_stopping() || posted_[pair] < shape_.depth);
}

void StreamSource::post() {
  for (std::size_t pair = 0; pair < posted_.size(); ++pair)
    for (; posts_more(pair); under_way_[pair] += together_) {
      connection().post(pair, operation_, posted_[pair], together_);
      posted_[pair] += together_;
    }
  if (is_stopping() && !marked_ && is_idle()) {
    connection().post_mark();
    marked_ = true;
  }
}

bool StreamSource::pump() {
  if (done_) return false;
  if (!begun_) last_ = Clock::now();
  begun_ = true;
  post();
  const auto& came = connection().completed();
  const auto now = Clock::now();
  const bool any = std::ranges::any_of(came, [](const auto& of_pair) { return of_pair.posts > 0; });
  if (any) {
    last_ = now;
    done_ = marked_;
    for (std::size_t pair = 0; !done_ && pair < came.size(); ++pair) {
      under_way_[pair] -= came[pair].posts * together_;
      completed_ += came[pair].posts * together_;
    }
    if (!counts_) {
      counts_ = true;
      from_ = now;
      counted_ = completed_;
    }
  } else if (now - last_ > completion_timeout) {
    throw Error(fmt::format("no {} completed for {} s", to_text(operation_), completion_timeout.count()));
  }
  return any;
}

std::optional<double> StreamSource::next() {
  if (!counts_ || completed_ < counted_ + shape_.depth * shape_.queue_pairs || last_ - from_ < min_sample)
    return std::nullopt;
  const std::chrono::duration<double> time = last_ - from_;
  const auto bytes = static_cast<double>((completed_ - counted_) * shape_.bytes);
  from_ = last_;
  counted_ = completed_;
  return bits_per_byte * bytes / time.count();
}

StreamTarget::StreamTarget(const RdmaPort& port, RdmaOperation operation, const MessageShape& shape,
                           const std::string& gpu)
    : End(port, shape_of_end(shape, room_for(operation, shape), !comes_back(operation), gpu)),
      room_(room_for(operation, shape)),
      posted_(shape.queue_pairs) {}

void StreamTarget::connect(const ConnectionAddress& partner) {
  End::connect(partner);
  for (std::size_t pair = 0; pair < posted_.size(); ++pair)
    while (posted_[pair] < room_) connection().post_receive(pair, posted_[pair]++);
}

bool StreamTarget::pump() {
  // All that has come, or the source would soon find no room; but no more, or other lanes would wait.
  const auto most = room_ * posted_.size();
  std::size_t taken = 0;
  for (bool more = true; more && !done_ && taken < most;) {
    const auto& came = connection().completed();
    more = false;
    for (std::size_t pair = 0; pair < came.size(); ++pair) {
      done_ = done_ || came[pair].mark;
      more = more || came[pair].messages > 0;
      taken += came[pair].messages;
      for (std::size_t message = 0; message < came[pair].messages; ++message)
        connection().post_receive(pair, posted_[pair]++);
    }
  }
  return taken > 0;
}

}  // namespace muster::benchmarks::verbs
