// SPDX-License-Identifier: Apache-2.0
#include "results/strings/joined_phrases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster::results {

std::string joined_phrases(std::vector<std::string> phrases, std::size_t most, std::string_view separator) {
  if (phrases.size() > most) {
    const auto rest = phrases.size() - most;
    phrases.resize(most);
    phrases.push_back(fmt::format("and {} more", rest));
  }
  return fmt::format("{}", fmt::join(phrases, separator));
}

}  // namespace muster::results
