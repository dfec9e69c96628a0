// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include <algorithm>
#include <cstdint>

#include "benchmarks/host/memory_kernels.hpp"

namespace muster::benchmarks::host {
namespace {

constexpr std::size_t line = 64 / sizeof(double);  // elements in a cache line

// Each of these does whole cache lines; `to` is aligned to one, and operands that the kernel does not read may be null.
using Lines = void (*)(double* to, const double* first, const double* second, double factor, std::size_t n);

template <Kernel kernel>
[[gnu::target("avx512f")]] void avx512(double* to, const double* first, const double* second, double factor,
                                       std::size_t n) {
  constexpr std::size_t width = 8;
  const auto factors = _mm512_set1_pd(factor);
  for (std::size_t i = 0; i < n; i += width) {
    auto value = _mm512_loadu_pd(first + i);
    if constexpr (kernel == Kernel::scale) value = _mm512_mul_pd(factors, value);
    if constexpr (kernel == Kernel::add) value = _mm512_add_pd(value, _mm512_loadu_pd(second + i));
    if constexpr (kernel == Kernel::triad)
      value = _mm512_add_pd(value, _mm512_mul_pd(factors, _mm512_loadu_pd(second + i)));
    _mm512_stream_pd(to + i, value);
  }
}

template <Kernel kernel>
[[gnu::target("avx2")]] void avx2(double* to, const double* first, const double* second, double factor, std::size_t n) {
  constexpr std::size_t width = 4;
  const auto factors = _mm256_set1_pd(factor);
  for (std::size_t i = 0; i < n; i += width) {
    auto value = _mm256_loadu_pd(first + i);
    if constexpr (kernel == Kernel::scale) value = _mm256_mul_pd(factors, value);
    if constexpr (kernel == Kernel::add) value = _mm256_add_pd(value, _mm256_loadu_pd(second + i));
    if constexpr (kernel == Kernel::triad)
      value = _mm256_add_pd(value, _mm256_mul_pd(factors, _mm256_loadu_pd(second + i)));
    _mm256_stream_pd(to + i, value);
  }
}

template <Kernel kernel>
void sse2(double* to, const double* first, const double* second, double factor, std::size_t n) {
  constexpr std::size_t width = 2;
  const auto factors = _mm_set1_pd(factor);
  for (std::size_t i = 0; i < n; i += width) {
    auto value = _mm_loadu_pd(first + i);
    if constexpr (kernel == Kernel::scale) value = _mm_mul_pd(factors, value);
    if constexpr (kernel == Kernel::add) value = _mm_add_pd(value, _mm_loadu_pd(second + i));
    if constexpr (kernel == Kernel::triad) value = _mm_add_pd(value, _mm_mul_pd(factors, _mm_loadu_pd(second + i)));
    _mm_stream_pd(to + i, value);
  }
}

std::size_t elements_before_a_line(std::span<const double> to) {
  const auto past = reinterpret_cast<std::uintptr_t>(to.data()) / sizeof(double) % line;
  return std::min(to.size(), (line - past) % line);
}

// The lines within `to` by the vector loop, what is before and after them by the portable one.
template <Kernel kernel, Lines lines>
void pass(std::span<double> to, std::span<const double> first, std::span<const double> second, double factor) {
  constexpr bool reads_second = bytes_per_element(kernel) == 3 * sizeof(double);
  const auto head = elements_before_a_line(to);
  const auto tail = (to.size() - head) % line;
  const auto body = to.size() - head - tail;
  const auto part = [&](std::size_t begin, std::size_t n) {
    portable_kernels()[kernel](to.subspan(begin, n), first.subspan(begin, n),
                               reads_second ? second.subspan(begin, n) : second, factor);
  };
  part(0, head);
  lines(to.data() + head, first.data() + head, reads_second ? second.data() + head : nullptr, factor, body);
  part(head + body, tail);
  _mm_sfence();
}

}  // namespace

std::vector<KernelSet> supported_kernels() {
  std::vector<KernelSet> sets;
  if (__builtin_cpu_supports("avx512f"))
    sets.push_back({"avx512",
                    {pass<Kernel::copy, avx512<Kernel::copy>>, pass<Kernel::scale, avx512<Kernel::scale>>,
                     pass<Kernel::add, avx512<Kernel::add>>, pass<Kernel::triad, avx512<Kernel::triad>>}});
  if (__builtin_cpu_supports("avx2"))
    sets.push_back({"avx2",
                    {pass<Kernel::copy, avx2<Kernel::copy>>, pass<Kernel::scale, avx2<Kernel::scale>>,
                     pass<Kernel::add, avx2<Kernel::add>>, pass<Kernel::triad, avx2<Kernel::triad>>}});
  sets.push_back({"sse2",
                  {pass<Kernel::copy, sse2<Kernel::copy>>, pass<Kernel::scale, sse2<Kernel::scale>>,
                   pass<Kernel::add, sse2<Kernel::add>>, pass<Kernel::triad, sse2<Kernel::triad>>}});
  sets.push_back(portable_kernels());
  return sets;
}

}  // namespace muster::benchmarks::host
