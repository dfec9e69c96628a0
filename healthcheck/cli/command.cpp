// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "healthcheck/program/error.hpp"
#include "results/strings/suggest.hpp"

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

int run_group(const Group& group, std::span<const Command> commands, int argc, char** argv) {
  const std::string name = argc < 2 ? "--help" : argv[1];
  if (const Command* command = find(commands, name)) return command->run(argc - 1, argv + 1);
  if (name != "--help" && name != "-h")
    throw UsageError(fmt::format("there is no command '{} {}'.{} See muster {} --help", group.name, name,
                                 results::suggestion(name, names(commands)), group.name));
  fmt::print("{}\n\nmuster {} COMMAND [OPTIONS]\n\n", group.summary, group.name);
  print(commands);
  fmt::print("\nEach takes --help. Exit: {}.\n", group.exits);
  return argc < 2 ? 2 : 0;
}

}  // namespace muster::healthcheck
