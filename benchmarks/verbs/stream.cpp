// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "benchmarks/error.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t parts_of_depth = 4;  // while one is told of, three are under way
constexpr std::chrono::seconds patience(10);

}  // namespace

Stream::Stream(QueuePair& pair, RdmaOperation operation, std::size_t depth, std::function<void()> meanwhile)
    : pair_(pair),
      operation_(operation),
      depth_(depth),
      together_(std::max<std::size_t>(1, depth / parts_of_depth)),
      meanwhile_(std::move(meanwhile)),
      last_(Clock::now()) {}

void Stream::post() {
  while (posted_ - completed_ + together_ <= depth_) {
    pair_.post(operation_, posted_, together_);
    posted_ += together_;
  }
}

void Stream::wait() {
  const auto start = Clock::now();
  for (;;) {
    meanwhile_();
    if (const auto ended = pair_.completed(); ended > 0) {
      completed_ += ended * together_;
      return;
    }
    if (Clock::now() - start > patience)
      throw Error(fmt::format("no {} completed for {} s", to_text(operation_), patience.count()));
  }
}

double Stream::advance(std::size_t messages) {
  for (const auto until = completed_ + messages; completed_ < until;) {
    post();
    wait();
  }
  const auto now = Clock::now();
  return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
}

void Stream::drain() {
  while (completed_ < posted_) wait();
}

Receiver::Receiver(QueuePair& pair, std::size_t depth) : pair_(pair) {
  while (posted_ < depth) pair_.post_receive(posted_++);
}

void Receiver::serve() {
  while (const auto came = pair_.completed())
    for (std::size_t i = 0; i < came; ++i) pair_.post_receive(posted_++);
}

}  // namespace muster::benchmarks
