// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::healthcheck {

const Command* find(std::span<const Command> commands, std::string_view name) {
  const auto at = std::ranges::find(commands, name, &Command::name);
  return at == commands.end() ? nullptr : &*at;
}

std::vector<std::string> names(std::span<const Command> commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  return names;
}

void print(std::span<const Command> commands) {
  for (const Command& command : commands) fmt::print("  {:<14}{}\n", command.name, command.summary);
}

}  // namespace muster::healthcheck
