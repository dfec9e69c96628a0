// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
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
  CLI::App app("Shows a report as text or JSON", "muster report");
  app.add_option("REPORT", file, "A report of muster")->required();
  app.add_option("--format", format, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
  return run_command(app, argc, argv, [&] {
    const auto report = results::read_report(file);
    const auto colour = isatty(STDOUT_FILENO) != 0 ? results::Colour::always : results::Colour::never;
    fmt::print("{}", format == "json" ? results::to_json(report) : results::to_text(report, colour));
    return 0;
  });
}

}  // namespace muster::healthcheck
