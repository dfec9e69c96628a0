// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/end.hpp"

#include "benchmarks/message_data.hpp"

namespace muster::benchmarks {
namespace {

// Data of another connection are wrong.
std::uint64_t seed_of(const QueuePairAddress& source) { return source.memory + source.number; }

}  // namespace

End::End(const RdmaPort& port, const Shape& shape)
    : shape_(shape),
      memory_(shape.slots * shape.slot_bytes / sizeof(double)),
      pair_(port, std::as_writable_bytes(memory_.values()), shape.slot_bytes, shape.room, shape.inlines) {}

void End::connect(const QueuePairAddress& partner) {
  pair_.connect(partner);
  partners_seed_ = seed_of(partner);
  fill(bytes(shape_.given), seed_of(address()));
}

std::size_t End::wrong_bytes() const { return wrong_ + benchmarks::wrong_bytes(bytes(shape_.taken), partners_seed_); }

std::span<std::byte> End::slot(std::size_t number) const {
  return bytes({.offset = number * shape_.slot_bytes, .bytes = shape_.slot_bytes});
}

std::span<std::byte> End::bytes(const Part& part) const {
  return std::as_writable_bytes(memory_.values()).subspan(part.offset, part.bytes);
}

}  // namespace muster::benchmarks
