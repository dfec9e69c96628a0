// SPDX-License-Identifier: Apache-2.0
#include "topology/counters/counters.hpp"

#include <utility>

#include "topology/kernel/text_fields.hpp"

namespace muster::topology {

void add_counter(std::vector<Counter>& counters, std::string metric, Counter::Labels labels,
                 std::optional<double> value) {
  if (value) counters.push_back({std::move(metric), std::move(labels), *value});
}

std::optional<std::string> number_after(std::string_view prefix, const std::string& name) {
  if (!name.starts_with(prefix) || !whole_number(name.substr(prefix.size()))) return std::nullopt;
  return name.substr(prefix.size());
}

}  // namespace muster::topology
