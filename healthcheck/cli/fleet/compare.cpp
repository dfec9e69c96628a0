// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/cli/fleet/report_document.hpp"
#include "healthcheck/compare/comparison_options.hpp"
#include "healthcheck/fleet/compare_fleets.hpp"
#include "healthcheck/program/command_line.hpp"

namespace muster::healthcheck::fleet {

int compare_command(int argc, char** argv) {
  compare::ComparisonOptions options;
  CommandLine line("Says which nodes are better, worse, new or gone in the fleet's report B against report A",
                   "muster fleet compare");
  compare::add_options(line, options, "What muster fleet collect wrote");
  line.examples(
      {"muster fleet compare monday.json tuesday.json", "muster fleet compare monday.json tuesday.json --format json"});
  return line.run(argc, argv, [&] {
    compare::expect_two(options);
    return compare::print_result(comparison_of(read_fleet_report(options.a), read_fleet_report(options.b)), options);
  });
}

}  // namespace muster::healthcheck::fleet
