// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/cli/report_pictures.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/run/options.hpp"
#include "results/json/report_json.hpp"
#include "results/render/formats.hpp"

namespace muster::healthcheck {

int report_command(int argc, char** argv) {
  std::optional<std::filesystem::path> file, pictures;
  auto format = results::format_names().front();
  bool exit_zero = false;
  Options shown{.report = ""};
  CommandLine line("Shows a report in a form of your choice, and exits by it", "muster report");
  line.add("REPORT", file, "A report of muster; - is stdin (default: that of muster node, muster-report.json)");
  line.add_choice("--format", format, results::format_names(), results::format_summaries());
  add_view(line, shown);
  line.add_folder("--pictures", pictures,
                  "Write each picture of the page into this folder, too: SVG, and PNG by rsvg-convert");
  line.add("--exit-zero", exit_zero, "Exit with 0 whatever the report says");
  line.examples(
      {"muster report muster-report.json --all", "muster node --json --quiet | muster report - --metric disk_io.rate"});
  return line.run(argc, argv, [&] {
    line.expect_outputs();
    expect_metric(shown);
    const auto report = results::read_report(file.value_or("muster-report.json"));
    if (pictures) write_pictures(report, *pictures);
    write_also(report, shown);
    print_document(results::rendered(format, report, view_of(shown, STDOUT_FILENO)));
    return exit_zero ? 0 : results::exit_code(report.status);
  });
}

}  // namespace muster::healthcheck
