// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/check/check.hpp"
#include "healthcheck/check/checks_json.hpp"
#include "healthcheck/cli/command.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/strings/suggest.hpp"
#include "results/system/version.hpp"

namespace {

using namespace muster::healthcheck;

constexpr std::array commands{
    Command{"node", "Run all checks of this machine and say whether it passes", node_command},
    Command{"launch", "Run a check as one job on many hosts and bring its report back", launch_command},
    Command{"worker", "Be a host of such a job: an ssh server with the job's keys", worker_command},
    Command{"probe", "Say whether this machine is ready as such a host", probe_command},
    Command{"list", "List the checks, what they need and whether they can run here", list_command},
    Command{"explain", "Say what a fault code or a metric means", explain_command},
    Command{"judge", "Judge a report again, by another profile", judge_command},
    Command{"calibrate", "Make a profile from reports of healthy runs", calibrate_command},
    Command{"report", "Show a report in one of many forms, and write others", report_command},
    Command{"compare", "Say what is worse, better, new or gone between two reports", compare_command},
    Command{"profile", "Say what is wrong with a profile", profile_command},
    Command{"topology", "Show, lint, check, generate and use topology files of NCCL", topology_command},
};

// Commands that are programs of their own, because they need libraries that not every machine has.
constexpr std::array programs{
    Command{"fleet", "Make one report of many nodes, and judge jobs and mark nodes in Kubernetes", nullptr},
    Command{"scratch", "Make one file system of the local NVMe drives that hold nothing", nullptr},
};

// Those that are here.
std::vector<Command> built_programs() {
  std::vector<Command> found;
  const auto bin = installation().bin;
  std::ranges::copy_if(programs, std::back_inserter(found),
                       [&](const auto& program) { return exists(bin / executable_name(program.name)); });
  return found;
}

void print_help() {
  fmt::print("muster {}: proves GPU nodes fit for duty\n\nmuster COMMAND [OPTIONS]\n\n", muster::results::version());
  print(commands);
  print(built_programs());
  fmt::print(
      "\nmuster CHECK [OPTIONS] runs one check; muster list names them. muster help COMMAND says more of one.\n");
  fmt::print("Exit: 0 pass or warn, 1 fail, 2 usage, 3 unknown; a check alone that has nothing to look at, 77.\n");
}

// Replaces this program by the check's own; returns only when there is no such check.
int run_check_program(char** argv) {
  const std::string name = argv[1];
  const auto bin = installation().bin;
  const auto program = bin / executable_name(name);
  argv[1] = argv[0];
  execv(program.c_str(), argv + 1);
  if (errno != ENOENT)
    throw UsageError(fmt::format("{} cannot be started: {}", program.string(), std::strerror(errno)));

  auto known = names(commands);
  for (const auto& built : built_programs()) known.emplace_back(built.name);
  for (const auto& check : read_checks(bin / "checks.json")) known.push_back(check.name);
  throw UsageError(fmt::format("there is no command or check '{}'.{} See muster --help", name,
                               muster::results::suggestion(name, known)));
}

int run(int argc, char** argv);

// `muster help node` is `muster node --help`.
int help_about(int argc, char** argv) {
  std::string option = "--help";
  std::vector<char*> words(argv, argv + argc);
  words.erase(words.begin() + 1);
  words.push_back(option.data());
  words.push_back(nullptr);
  return run(argc, words.data());
}

int run(int argc, char** argv) {
  const std::string_view first = argc < 2 ? "--help" : argv[1];
  if (first == "--help" || first == "-h") {
    print_help();
    return argc < 2 ? 2 : 0;
  }
  if (first == "help") return help_about(argc, argv);
  if (first == "--version" || first == "version") {
    fmt::print("muster {}\n", muster::results::version());
    return 0;
  }
  if (const Command* command = find(commands, first)) return command->run(argc - 1, argv + 1);
  if (first.starts_with('-')) throw UsageError(fmt::format("there is no option '{}'; see muster --help", first));
  return run_check_program(argv);
}

}  // namespace

int main(int argc, char** argv) {
  // Or glibc sorts all small pieces again and again where a large document is freed, a seventh of its time.
  mallopt(M_MXFAST, 0);
  return with_streams("muster", [&] { return run(argc, argv); });
}
