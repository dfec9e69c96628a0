// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <optional>
#include <string>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/run/options.hpp"
#include "results/json/report_json.hpp"

namespace muster::healthcheck {

int report_command(int argc, char** argv) {
  std::optional<std::filesystem::path> file;
  std::string format = "text";
  bool exit_zero = false;
  Options shown{.report = ""};
  CommandLine line("Shows a report as text or JSON, and exits by it", "muster report");
  line.add("REPORT", file, "A report of muster; - is stdin (default: that of muster node, muster-report.json)");
  line.add_choice("--format", format, {"text", "json"}, "text or json");
  add_view(line, shown);
  line.add("--exit-zero", exit_zero, "Exit with 0 whatever the report says");
  line.examples(
      {"muster report muster-report.json --all", "muster node --json --quiet | muster report - --metric disk_io.rate"});
  return line.run(argc, argv, [&] {
    expect_metric(shown);
    shown.json = shown.quiet = format == "json";
    const int code = conclude(results::read_report(file.value_or("muster-report.json")), shown);
    return exit_zero ? 0 : code;
  });
}

}  // namespace muster::healthcheck
