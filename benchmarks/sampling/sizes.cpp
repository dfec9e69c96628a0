// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/sizes.hpp"

#include <fmt/format.h>

#include <array>

#include "benchmarks/error.hpp"

namespace muster::benchmarks {

std::vector<std::size_t> sizes(std::size_t least, std::size_t greatest, std::size_t factor) {
  if (factor < 2) throw Error(fmt::format("sizes cannot grow by a factor of {}; name one of at least 2", factor));
  if (least == 0 || greatest < least)
    throw Error(fmt::format("there is no size from {} to {}; name the smaller one first", size_text(least),
                            size_text(greatest)));
  std::vector<std::size_t> found{least};
  while (found.back() <= greatest / factor) found.push_back(found.back() * factor);
  return found;
}

std::string size_text(std::size_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, units[unit]);
}

}  // namespace muster::benchmarks
