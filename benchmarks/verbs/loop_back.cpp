// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/loop_back.hpp"

#include <algorithm>
#include <span>

#include "benchmarks/message_data.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t most_memory = std::size_t{64} << 20;  // of one end, unless one message is more
constexpr double least_sample_seconds = 1e-3;
constexpr std::uint64_t seed = 1;
constexpr double bits_per_byte = 8;

std::size_t doubles(const LoopBack::Shape& shape) {
  return std::clamp<std::size_t>(most_memory / shape.bytes, 1, shape.depth) * shape.bytes / sizeof(double);
}

std::span<std::byte> bytes(const Mapping& memory) { return std::as_writable_bytes(memory.values()); }

}  // namespace

LoopBack::LoopBack(const RdmaPort& port, RdmaOperation operation, const Shape& shape)
    : shape_(shape),
      reads_(operation == RdmaOperation::read),
      near_memory_(doubles(shape)),
      far_memory_(doubles(shape)),
      near_(port, bytes(near_memory_), shape.bytes, shape.depth),
      far_(port, bytes(far_memory_), shape.bytes, 2 * shape.depth),
      stream_(near_, operation, shape.depth, [this] {
        if (receiver_) receiver_->serve();
      }) {
  fill(bytes(source()), seed);
  near_.connect(far_.address());
  far_.connect(near_.address());
  if (operation == RdmaOperation::send) receiver_ = std::make_unique<Receiver>(far_, 2 * shape.depth);
  stream_.advance(batch_);  // the first took all of the above
  while (stream_.advance(batch_) < least_sample_seconds) batch_ *= 2;
}

double LoopBack::rate() {
  const auto before = stream_.messages();
  const double seconds = stream_.advance(batch_);
  return bits_per_byte * static_cast<double>((stream_.messages() - before) * shape_.bytes) / seconds;
}

double LoopBack::finish() {
  stream_.drain();
  return static_cast<double>(stream_.messages() * shape_.bytes);
}

std::size_t LoopBack::wrong_bytes() const { return benchmarks::wrong_bytes(bytes(target()), seed); }

}  // namespace muster::benchmarks
