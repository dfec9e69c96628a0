// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace muster::topology {

// What most of these are, and the greatest of several that are as frequent; a Value() where there are none.
template <class Value>
Value most_frequent(const std::vector<Value>& values) {
  std::map<Value, std::size_t> counts;
  for (const Value& value : values) ++counts[value];
  Value found{};
  std::size_t most = 0;
  for (const auto& [value, count] : counts) {
    if (count < most) continue;
    found = value;
    most = count;
  }
  return found;
}

}  // namespace muster::topology
