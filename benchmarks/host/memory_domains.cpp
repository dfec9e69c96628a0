// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/memory_domains.hpp"

#include <algorithm>
#include <cmath>

namespace muster::benchmarks::host {
namespace {

constexpr double huge_page = 2 << 20;
constexpr double min_bytes = 32 * huge_page;
constexpr double max_memory = 0.5;  // of the available memory

}  // namespace

std::vector<MemoryDomain> memory_domains(std::span<const NumaNode> nodes, std::size_t max_threads) {
  MemoryDomain all{.numa = "all", .cpus = {}};
  std::vector<MemoryDomain> single;
  for (const auto& node : nodes) {
    all.cpus.insert(all.cpus.end(), node.cpus.begin(), node.cpus.end());
    single.push_back({.numa = std::to_string(node.number), .cpus = node.cpus});
  }
  const bool too_few = max_threads < all.cpus.size();
  if (too_few) all.cpus.resize(max_threads);
  std::vector<MemoryDomain> domains{std::move(all)};
  if (nodes.size() > 1 && !too_few) domains.insert(domains.end(), single.begin(), single.end());
  return domains;
}

std::size_t array_bytes(double cache_bytes) {
  return static_cast<std::size_t>(std::ceil(std::max(4 * cache_bytes, min_bytes) / huge_page) * huge_page);
}

bool fits(std::size_t array_bytes, double available_bytes) {
  return 3 * static_cast<double>(array_bytes) <= max_memory * available_bytes;
}

}  // namespace muster::benchmarks::host
