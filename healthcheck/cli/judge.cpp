// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/installation.hpp"
#include "healthcheck/options.hpp"
#include "results/report_json.hpp"

namespace muster::healthcheck {

int judge_command(int argc, char** argv) {
  std::filesystem::path file;
  std::string wanted;
  std::optional<std::filesystem::path> output;
  Options shown;
  CLI::App app("Judges a report again, by another profile; nothing is measured", "muster judge");
  app.add_option("REPORT", file, "A report of muster")->required();
  app.add_option("--profile", wanted, "A name or a file (default: the profile the report names)");
  app.add_option("--report", output, "Where the judged report goes (default: nowhere)");
  app.add_flag("--json", shown.json, "Print the judged report on stdout");
  app.add_flag("--quiet", shown.quiet, "Print no table");
  return run_command(app, argc, argv, [&] {
    auto report = results::read_report(file);
    const auto places = installation();
    const auto choice = choose_profile(wanted.empty() ? report.profile.name : wanted, places.profiles, {});
    const auto profile = read_profile(choice.file);
    const Faults faults(places.faults);
    validate(profile, faults);
    report.profile = {.name = profile.name, .sha256 = profile.sha256, .chosen_by = "muster judge"};
    report = judge(std::move(report), profile, faults);
    if (output) results::write_report(report, *output);
    return conclude(report, shown);
  });
}

}  // namespace muster::healthcheck
