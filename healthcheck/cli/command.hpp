// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// A word of the command line and what it runs.
struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(int argc, char** argv);
};

// Null when there is no such command.
const Command* find(std::span<const Command> commands, std::string_view name);

std::vector<std::string> names(std::span<const Command> commands);

// A line each, for --help.
void print(std::span<const Command> commands);

}  // namespace muster::healthcheck
