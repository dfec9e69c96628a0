// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/collectives/pattern.hpp"

namespace muster::benchmarks {

// Counted as nccl-tests counts: S bytes are what each rank holds of the whole, sent or received.
enum class Operation { allreduce, all_gather, reduce_scatter, broadcast, all_to_all, send_receive };
enum class DataType { float32, float64, float16, bfloat16, int8, int32, int64, uint64 };

inline constexpr std::array operations{Operation::allreduce, Operation::all_gather, Operation::reduce_scatter,
                                       Operation::broadcast, Operation::all_to_all, Operation::send_receive};
inline constexpr std::array data_types{DataType::float32, DataType::float64, DataType::float16, DataType::bfloat16,
                                       DataType::int8,    DataType::int32,   DataType::int64,   DataType::uint64};
inline constexpr std::array reductions{Reduction::sum, Reduction::prod, Reduction::min, Reduction::max, Reduction::avg};

// "all-reduce" is spelled "allreduce", as the check is; the types as NCCL spells them: "float", "half", "int8".
std::string_view to_text(Operation operation);
std::string_view to_text(DataType type);
std::string_view to_text(Reduction reduction);

std::size_t bytes_of(DataType type);
constexpr bool reduces(Operation operation) {
  return operation == Operation::allreduce || operation == Operation::reduce_scatter;
}
bool has_fractions(DataType type);

struct Collective {
  Operation operation = Operation::allreduce;
  DataType type = DataType::float32;
  Reduction reduction = Reduction::sum;
  bool in_place = false;
};

// Elements of one call on one rank.
struct Shape {
  std::size_t send = 0;
  std::size_t receive = 0;
};

// Of S bytes over so many ranks. Where ranks hold parts, S is rounded down to equal parts.
Shape shape(const Collective& collective, std::size_t bytes, int ranks);
// The buffers of one call on one rank; in place, the receiving one holds the larger of both sides.
Shape buffers(const Collective& collective, const Shape& shape);
// What they take in all.
std::size_t buffer_bytes(const Collective& collective, std::size_t bytes, int ranks);
// The bytes that are left of S after that rounding.
std::size_t moved_bytes(const Collective& collective, std::size_t bytes, int ranks);

// Bus bandwidth / algorithm bandwidth: how much of S must cross the slowest link (nccl-tests, doc/PERFORMANCE.md).
double bus_factor(Operation operation, int ranks);

// The data of an iteration.
Pattern pattern(const Collective& collective, int ranks, std::uint64_t iteration);

}  // namespace muster::benchmarks
