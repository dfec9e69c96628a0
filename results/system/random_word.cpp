// SPDX-License-Identifier: Apache-2.0
#include "results/system/random_word.hpp"

#include <fmt/format.h>

#include <random>

namespace muster::results {

std::string random_word() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace muster::results
