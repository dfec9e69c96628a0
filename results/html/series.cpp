// SPDX-License-Identifier: Apache-2.0
#include "results/html/series.hpp"

#include <array>
#include <map>
#include <string_view>

namespace muster::results::html {

std::set<std::string> labels_alike(std::span<const Measurement* const> all) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> counts;
  for (const auto* each : all)
    for (const auto& [name, value] : each->labels) {
      values[name].insert(value);
      ++counts[name];
    }
  std::set<std::string> alike;
  for (const auto& [name, found] : values)
    if (found.size() == 1 && counts[name] == all.size()) alike.insert(name);
  return alike;
}

std::string name_beside(const Measurement& fact, const std::set<std::string>& alike,
                        const std::set<std::string>& left_out) {
  auto labels = fact.labels;
  make_short(labels);
  std::string name;
  for (const auto& [label, value] : labels) {
    if (alike.contains(label) || left_out.contains(label)) continue;
    const bool is_number = value.find_first_not_of("0123456789") == value.npos;
    name += (name.empty() ? "" : ", ") + (is_number ? label + " " + value : value);
  }
  return name.empty() ? std::string(subject_of(fact.metric)) : name;
}

void make_short(Labels& labels) {
  constexpr std::array<std::string_view, 7> others{"guid", "pci", "gpu_uuid", "serial", "board_id", "kind", "siblings"};
  labels.erase("host");
  for (const std::string_view name : {"nic", "gpu", "drive"}) {
    if (!labels.contains(name)) continue;
    for (const auto other : others)
      if (const auto at = labels.find(other); at != labels.end()) labels.erase(at);
    return;
  }
}

}  // namespace muster::results::html
