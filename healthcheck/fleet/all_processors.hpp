// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace muster::healthcheck::fleet {

inline constexpr std::size_t max_threads = 16;

// One for each processor, and no more than `most`.
inline std::size_t thread_count(std::size_t most) {
  return std::min({most, max_threads, std::size_t{std::thread::hardware_concurrency()}});
}

// Calls run() once on each processor, and on no more than `most`, at the same time. It must not throw.
template <typename Run>
void on_all_processors(std::size_t most, Run run) {
  const auto count = thread_count(most);
  std::vector<std::jthread> others;
  for (std::size_t thread = 1; thread < count; ++thread) others.emplace_back(run);
  if (count > 0) run();
}

// Calls visit(index) for each index below `count`, on all processors and in any order.
template <typename Visit>
void for_each_index(std::size_t count, Visit visit) {
  std::atomic<std::size_t> next = 0;
  on_all_processors(count, [&] {
    for (auto index = next++; index < count; index = next++) visit(index);
  });
}

// Calls visit(first, last) for each of as many parts of the indices below `count` as there are processors, on all of
// these.
template <typename Visit>
void for_each_part(std::size_t count, Visit visit) {
  const auto parts = thread_count(count);
  for_each_index(parts, [&](std::size_t part) { visit(count * part / parts, count * (part + 1) / parts); });
}

}  // namespace muster::healthcheck::fleet
