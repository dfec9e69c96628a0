// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/node.hpp"

#include "healthcheck/checks_json.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/installation.hpp"

namespace muster::healthcheck {

int node_command(int argc, char** argv) {
  NodeOptions options;
  CommandLine line("Runs all checks of this machine and says whether it passes", "muster node");
  add_options(line, options.common);
  line.add_list("--only", options.selection.only, "Run these checks alone, separated by commas");
  line.add_list("--skip", options.selection.skip, "Do not run these checks, separated by commas");
  line.add_positive("--budget", options.budget_seconds, "Seconds for everything; what does not fit is unknown");
  line.add_positive("--timeout", options.timeout_seconds, "Seconds for each check (default: by tier)");
  line.add("--even-if-in-use", options.even_if_in_use, "Measure although other work keeps this machine busy");
  line.add("--lock", options.lock, "File that one muster at a time holds (default: in the system's lock folder)");
  return line.run(argc, argv, [&] {
    const auto bin = installation().bin;
    options.selection.tier = options.common.tier;
    return run_node(options, bin, read_checks(bin / "checks.json"));
  });
}

}  // namespace muster::healthcheck
