// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// What the kernels that stream through a GPU's memory write and find. The numbers are whole, so that every sum of them
// is exact in any order, and others in every turn, so that nothing that an earlier one left can pass for its own.
// constexpr, so that a device can call it.
namespace muster::benchmarks {

// In the order in which they run: write c = v, copy b = c, triad a = b + 3 c, dot = sum of a b, read = sum of a.
enum class StreamKernel { write, copy, triad, dot, read };

inline constexpr std::array stream_kernels = {StreamKernel::write, StreamKernel::copy, StreamKernel::triad,
                                              StreamKernel::dot, StreamKernel::read};

constexpr std::string_view to_text(StreamKernel kernel) {
  constexpr std::array<std::string_view, stream_kernels.size()> names = {"write", "copy", "triad", "dot", "read"};
  return names.at(static_cast<std::size_t>(kernel));
}

// How many arrays it reads or writes, each once.
constexpr std::size_t arrays_moved(StreamKernel kernel) {
  constexpr std::array<std::size_t, stream_kernels.size()> moved = {1, 2, 3, 2, 1};
  return moved.at(static_cast<std::size_t>(kernel));
}

inline constexpr double triad_factor = 3;
inline constexpr std::uint32_t stream_values = 97;  // a prime, so that no power of two of elements repeats them

// v at an index; 1 to 97. Index and turn are less than 2^31.
constexpr double stream_value(std::uint32_t index, std::uint32_t turn) {
  return static_cast<double>((index + turn) % stream_values + 1);
}

constexpr bool sums_up(StreamKernel kernel) { return kernel == StreamKernel::dot || kernel == StreamKernel::read; }

// What dot and read must find in so many elements.
constexpr double expected_sum(StreamKernel kernel, std::size_t elements, std::uint32_t turn) {
  const auto in_a = [](double value) { return (1 + triad_factor) * value; };
  const auto term = [&](std::uint32_t index) {
    const auto value = stream_value(index, turn);
    return kernel == StreamKernel::dot ? in_a(value) * value : in_a(value);
  };
  double of_all_values = 0;
  for (std::uint32_t index = 0; index < stream_values; ++index) of_all_values += term(index);
  double rest = 0;
  for (std::uint32_t index = 0; index < elements % stream_values; ++index) rest += term(index);
  const std::size_t rounds = elements / stream_values;
  return static_cast<double>(rounds) * of_all_values + rest;
}

}  // namespace muster::benchmarks
