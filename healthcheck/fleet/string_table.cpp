// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/string_table.hpp"

namespace muster::healthcheck::fleet {

std::uint32_t StringTable::number(const std::string& text) {
  const auto [found, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(text);
  return found->second;
}

}  // namespace muster::healthcheck::fleet
