// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks.hpp"

#include <algorithm>

#include "benchmarks/error.hpp"

namespace muster::benchmarks {

void together(Ranks& ranks, const std::function<void()>& part) {
  std::string words;
  try {
    part();
  } catch (const std::exception& error) {
    words = error.what();
  }
  const auto all = ranks.gather(words);
  const auto first = std::ranges::find_if(all, [](const std::string& each) { return !each.empty(); });
  if (const auto told = ranks.broadcast(first == all.end() ? "" : *first); !told.empty()) throw Error(told);
}

}  // namespace muster::benchmarks
