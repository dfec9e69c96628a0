// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/collective.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/collectives/element.hpp"
#include "benchmarks/error.hpp"
#include "results/strings/names.hpp"

namespace muster::benchmarks {
namespace {

constexpr results::Names<6> operation_names = {"allreduce", "all-gather", "reduce-scatter",
                                               "broadcast", "all-to-all", "send-recv"};
constexpr results::Names<8> type_names = {"float", "double", "half", "bfloat16", "int8", "int32", "int64", "uint64"};
constexpr results::Names<5> reduction_names = {"sum", "prod", "min", "max", "avg"};

// Whether S consists of a part for each rank.
bool has_parts(Operation operation) {
  return operation == Operation::all_gather || operation == Operation::reduce_scatter ||
         operation == Operation::all_to_all;
}

// The greatest whole number up to which the type holds all.
std::uint64_t max_whole(DataType type) {
  switch (type) {
    case DataType::float32:
      return std::uint64_t{1} << 24;
    case DataType::float64:
      return std::uint64_t{1} << 53;
    case DataType::float16:
      return std::uint64_t{1} << 11;
    case DataType::bfloat16:
      return std::uint64_t{1} << 8;
    case DataType::int8:
      return INT8_MAX;
    case DataType::int32:
      return INT32_MAX;
    case DataType::int64:
    case DataType::uint64:
      break;
  }
  return INT64_MAX;
}

}  // namespace

std::string_view to_text(Operation operation) { return results::name_of(operation_names, operation); }
std::string_view to_text(DataType type) { return results::name_of(type_names, type); }
std::string_view to_text(Reduction reduction) { return results::name_of(reduction_names, reduction); }

std::size_t bytes_of(DataType type) {
  return with_type(type, [](auto element) { return sizeof(typename decltype(element)::Bits); });
}

bool has_fractions(DataType type) {
  return with_type(type, [](auto element) { return decltype(element)::has_fractions; });
}

Shape shape(const Collective& collective, std::size_t bytes, int ranks) {
  const auto whole = moved_bytes(collective, bytes, ranks) / bytes_of(collective.type);
  const auto part = whole / static_cast<std::size_t>(ranks);
  if (collective.operation == Operation::all_gather) return {.send = part, .receive = whole};
  if (collective.operation == Operation::reduce_scatter) return {.send = whole, .receive = part};
  return {.send = whole, .receive = whole};
}

Shape buffers(const Collective& collective, const Shape& shape) {
  if (collective.in_place) return {.send = 0, .receive = std::max(shape.send, shape.receive)};
  return shape;
}

std::size_t buffer_bytes(const Collective& collective, std::size_t bytes, int ranks) {
  const auto both = buffers(collective, shape(collective, bytes, ranks));
  return bytes_of(collective.type) * (both.send + both.receive);
}

std::size_t moved_bytes(const Collective& collective, std::size_t bytes, int ranks) {
  const auto unit = bytes_of(collective.type) * (has_parts(collective.operation) ? static_cast<std::size_t>(ranks) : 1);
  return bytes / unit * unit;
}

double bus_factor(Operation operation, int ranks) {
  const double n = ranks;
  if (operation == Operation::allreduce) return 2 * (n - 1) / n;
  return has_parts(operation) ? (n - 1) / n : 1;
}

Pattern pattern(const Collective& collective, int ranks, std::uint64_t iteration) {
  if (!reduces(collective.operation)) return Pattern::moved(iteration);
  return {collective.reduction, ranks, iteration, max_whole(collective.type)};
}

}  // namespace muster::benchmarks
