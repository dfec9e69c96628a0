// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/command_line.hpp"
#include "results/report_json.hpp"
#include "results/text.hpp"

namespace muster::healthcheck {

int report_command(int argc, char** argv) {
  std::filesystem::path file;
  std::string format = "text";
  CommandLine line("Shows a report as text or JSON", "muster report");
  line.add("REPORT", file, "A report of muster");
  line.add_choice("--format", format, {"text", "json"}, "text or json");
  return line.run(argc, argv, [&] {
    const auto report = results::read_report(file);
    const auto colour = isatty(STDOUT_FILENO) != 0 ? results::Colour::always : results::Colour::never;
    fmt::print("{}", format == "json" ? results::to_json(report) : results::to_text(report, colour));
    return 0;
  });
}

}  // namespace muster::healthcheck
