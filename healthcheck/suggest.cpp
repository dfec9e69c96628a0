// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace muster::healthcheck {
namespace {

// How many letters must be inserted, removed or replaced to make one word of the other.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  const auto nearest =
      std::ranges::min_element(known, {}, [&](const std::string& each) { return distance(word, each); });
  if (nearest == known.end() || distance(word, *nearest) > std::max<std::size_t>(1, word.size() / 3)) return "";
  return fmt::format(" Did you mean '{}'?", *nearest);
}

}  // namespace muster::healthcheck
