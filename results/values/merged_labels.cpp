// SPDX-License-Identifier: Apache-2.0
#include "results/values/merged_labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace muster::results {
namespace {

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

bool is_range(const std::vector<std::string>& values) {
  const auto follows = [](const std::string& one, const std::string& next) {
    const auto a = number(one);
    const auto b = number(next);
    return a && b && *b == *a + 1;
  };
  return values.size() > 2 && std::ranges::adjacent_find(values, std::not_fn(follows)) == values.end();
}

// "0 to 7", "0, 3 and 5"
std::string listed(const std::vector<std::string>& values) {
  if (is_range(values)) return fmt::format("{} to {}", values.front(), values.back());
  if (values.size() == 1) return values.front();
  const auto last = values.end() - 1;
  return fmt::format("{} and {}", fmt::join(values.begin(), last, ", "), *last);
}

// Sets that differ in nothing but the label of this name become one, where the first of them is.
std::vector<Labels> merged_by(const std::string& name, const std::vector<Labels>& sets) {
  std::vector<Labels> merged;
  std::map<Labels, std::size_t> places;  // of what is alike, among the merged
  std::map<std::size_t, std::vector<std::string>> values;
  for (const Labels& set : sets) {
    Labels alike = set;
    const auto own = alike.find(name);
    const auto value = own == alike.end() ? std::string() : std::exchange(own->second, "");
    const auto [place, is_new] = places.emplace(alike, merged.size());
    if (is_new) merged.push_back(set);
    auto& all = values[place->second];
    if (own != alike.end() && std::ranges::find(all, value) == all.end()) all.push_back(value);
  }
  for (const auto& [place, all] : values)
    if (!all.empty()) merged[place][name] = listed(all);
  return merged;
}

}  // namespace

std::vector<Labels> merged(std::vector<Labels> sets) {
  std::set<std::string> names;
  for (const Labels& set : sets)
    for (const auto& [name, value] : set) names.insert(name);
  for (const std::string& name : names) sets = merged_by(name, sets);
  return sets;
}

}  // namespace muster::results
