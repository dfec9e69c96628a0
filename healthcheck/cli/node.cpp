// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/node.hpp"

#include <fmt/format.h>

#include "healthcheck/check/checks_json.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/thread_variables.hpp"
#include "topology/cpu/usable_cpus.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {
namespace {

// For `eval` of a shell.
void print_thread_variables(const topology::Sysfs& sysfs) {
  const auto cores = topology::usable_cpus(sysfs).cores();
  for (const auto* variable : thread_variables) fmt::print("export {}={}\n", variable, cores);
}

}  // namespace

int node_command(int argc, char** argv) {
  NodeOptions options;
  CommandLine line("Runs all checks of this machine and says whether it passes", "muster node");
  line.examples({"muster node --tier preflight", "muster node --only limits,host_memory --all"});
  add_options(line, options.common);
  line.group("Run");
  line.add_list("--only", options.selection.only, "Run these checks alone, separated by commas");
  line.add_list("--skip", options.selection.skip, "Do not run these checks, separated by commas");
  line.add_positive("--budget", options.budget_seconds, "Seconds for everything; what does not fit is unknown");
  line.add_positive("--timeout", options.timeout_seconds, "Seconds for each check (default: by tier)");
  line.add("--even-if-in-use", options.even_if_in_use, "Measure although other work keeps this machine busy");
  line.add("--confirm", options.confirm,
           "Run an active check that failed once more; both runs are in the report, and both count");
  line.add("--lock", options.lock, "File that one muster at a time holds (default: in the system's lock folder)");
  bool print_threads = false;
  line.add("--print-threads", print_threads,
           "Print what tells libraries how many threads can run here, and run nothing");
  return line.run(argc, argv, [&] {
    if (print_threads) {
      print_thread_variables(topology::Sysfs(options.common.root));
      return 0;
    }
    line.expect_outputs();
    const auto bin = installation().bin;
    options.selection.tier = options.common.settings.tier;
    return run_node(options, bin, read_checks(bin / "checks.json"));
  });
}

}  // namespace muster::healthcheck
