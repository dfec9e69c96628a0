// SPDX-License-Identifier: Apache-2.0
#include "results/strings/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "results/strings/joined_phrases.hpp"

namespace muster::results {
namespace {

// How many letters must be inserted, removed, replaced or exchanged with the next to make one word of the other
// (optimal string alignment).
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> before(row.size());
  std::vector<std::size_t> above(row.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::swap(before, above);
    above = row;
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = above[j] + (from[i] == to[j] ? 0 : 1);
      row[j + 1] = std::min({replaced, row[j] + 1, above[j + 1] + 1});
      const bool exchanged = i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j];
      if (exchanged) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

constexpr std::size_t max_named = 6;
constexpr std::size_t min_part = 3;  // letters; fewer are in too many words

std::string question(std::vector<std::string> found) {
  if (found.empty()) return "";
  const std::string_view one_of = found.size() > 1 ? "one of " : "";
  for (std::string& each : found) each = fmt::format("'{}'", each);
  return fmt::format(" Did you mean {}{}?", one_of, joined_phrases(std::move(found), max_named, ", "));
}

std::vector<std::string> those(std::span<const std::string> known,
                               const std::function<bool(const std::string&)>& are_meant) {
  std::vector<std::string> found;
  std::ranges::copy_if(known, std::back_inserter(found), are_meant);
  return found;
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  const auto last_part = fmt::format(".{}", word);
  if (auto found = those(known, [&](const std::string& each) { return each.ends_with(last_part); }); !found.empty())
    return question(std::move(found));
  const auto nearest =
      std::ranges::min_element(known, {}, [&](const std::string& each) { return distance(word, each); });
  if (nearest == known.end() || distance(word, *nearest) > std::max<std::size_t>(1, word.size() / 3))
    return word.size() < min_part
               ? ""
               : question(those(known, [&](const std::string& each) { return each.find(word) != each.npos; }));
  return fmt::format(" Did you mean '{}'?", *nearest);
}

}  // namespace muster::results
