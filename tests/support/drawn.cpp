// SPDX-License-Identifier: Apache-2.0
#include "tests/support/drawn.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <random>

namespace muster::tests {

std::vector<std::string> drawn(std::size_t count, const std::vector<std::string>& all) {
  if (std::getenv("MUSTER_WHOLE") != nullptr) return all;
  std::vector<std::string> found;
  std::ranges::sample(all, std::back_inserter(found), static_cast<std::ptrdiff_t>(count),
                      std::mt19937(std::random_device()()));
  return found;
}

}  // namespace muster::tests
