// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/end.hpp"

#include <vector>

#include "benchmarks/data/message_data.hpp"

namespace muster::benchmarks::verbs {
namespace {

// Data of another connection are wrong.
std::uint64_t seed_of(const ConnectionAddress& source) { return source.memory + source.numbers.front(); }

}  // namespace

End::End(const RdmaPort& port, const Shape& shape)
    : shape_(shape),
      memory_(make_memory(shape.slots * shape.slot_bytes, shape.gpu)),
      connection_(port, *memory_,
                  {.slot_bytes = shape.slot_bytes,
                   .queue_pairs = shape.queue_pairs,
                   .depth = shape.room,
                   .timeout = shape.timeout,
                   .inlines = shape.inlines}) {
  std::vector<std::byte> data(shape_.given.bytes);
  fill(data, seed_of(address()));
  memory_->store(data, shape_.given.offset);
}

void End::connect(const ConnectionAddress& partner) {
  connection_.connect(partner);
  partners_seed_ = seed_of(partner);
}

std::size_t End::wrong_bytes() const {
  std::vector<std::byte> data(shape_.received.bytes);
  memory_->load(data, shape_.received.offset);
  return wrong_ + benchmarks::wrong_bytes(data, partners_seed_);
}

std::span<std::byte> End::slot(std::size_t number) const {
  return memory_->range().subspan(number * shape_.slot_bytes, shape_.slot_bytes);
}

}  // namespace muster::benchmarks::verbs
