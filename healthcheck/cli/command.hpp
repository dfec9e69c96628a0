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

// A command that has commands of its own, as `muster topology`.
struct Group {
  std::string_view name;     // "topology"
  std::string_view summary;  // a sentence without its full stop
  std::string_view exits;    // "0 no error, 1 errors were found, 2 usage"
};

// Runs the command that is named, or prints what there is. Throws UsageError when there is no such command.
int run_group(const Group& group, std::span<const Command> commands, int argc, char** argv);

}  // namespace muster::healthcheck
