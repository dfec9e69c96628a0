// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge.hpp"

#include <filesystem>
#include <optional>
#include <string>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/installation.hpp"
#include "healthcheck/options.hpp"
#include "healthcheck/profile_lint.hpp"
#include "results/report_json.hpp"

namespace muster::healthcheck {

int judge_command(int argc, char** argv) {
  std::filesystem::path file;
  std::optional<std::string> wanted;
  std::optional<std::filesystem::path> output;
  Options shown;
  CommandLine line("Judges a report again, by another profile; nothing is measured", "muster judge");
  line.add("REPORT", file, "A report of muster");
  line.add("--profile", wanted, "A name or a file (default: the profile the report names)");
  line.add("--report", output, "Where the judged report goes (default: nowhere)");
  line.add("--json", shown.json, "Print the judged report on stdout");
  line.add("--quiet", shown.quiet, "Print no table");
  return line.run(argc, argv, [&] {
    if (wanted == "auto") throw UsageError("--profile: auto looks at a machine, and judge at a report; name a profile");
    auto report = results::read_report(file);
    const auto places = installation();
    const auto choice = choose_profile(wanted.value_or(report.profile.name), places.profiles, {});
    const auto profile = choice.read();
    const Faults faults(places.faults);
    expect_clean(choice.files, places, faults);
    validate(profile, faults);
    const bool is_same = profile.name == report.profile.name;
    report.profile = {.name = profile.name,
                      .sha256 = profile.sha256,
                      .chosen_by = "muster judge",
                      .doubt = is_same ? report.profile.doubt : ""};
    report = judge(std::move(report), profile, faults);
    if (output) results::write_report(report, *output);
    return conclude(report, shown);
  });
}

}  // namespace muster::healthcheck
