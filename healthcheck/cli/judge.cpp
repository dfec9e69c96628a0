// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/judge.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sstream>
#include <string>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/expectations/profile_lint.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/outputs.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/run/options.hpp"
#include "results/json/report_json.hpp"

namespace muster::healthcheck {

namespace {

// A report has the name of its profile, and not the file.
void expect_shipped(const std::string& names, const Installation& places) {
  std::istringstream each(names);
  for (std::string name; std::getline(each, name, '+');)
    if (std::error_code error; !std::filesystem::exists(places.profiles / (name + ".json"), error))
      throw UsageError(
          fmt::format("the report was judged by a profile of yours, {}; give its file with --profile", name));
}

// The report, judged by the profile that is wanted, else by its own, of which it is said if that has changed.
results::Report judged_again(results::Report report, const std::optional<std::string>& wanted) {
  const auto places = installation();
  if (!wanted) expect_shipped(report.profile.name, places);
  const auto choice = choose_profile(wanted.value_or(report.profile.name), places.profiles, {});
  const Faults faults(places.faults);
  const auto profile = read_clean(choice, places, faults);
  if (!wanted && profile.sha256 != report.profile.sha256)
    tell(fmt::format("the profile {} has changed since this report was made\n", profile.name));
  const bool is_same = profile.name == report.profile.name;
  report.profile = {.name = profile.name,
                    .sha256 = profile.sha256,
                    .chosen_by = "muster judge",
                    .doubt = is_same ? report.profile.doubt : ""};
  return judge(std::move(report), profile, faults);
}

}  // namespace

int judge_command(int argc, char** argv) {
  std::filesystem::path file;
  std::optional<std::string> wanted;
  std::optional<std::filesystem::path> output;
  Options shown{.report = ""};
  CommandLine line("Judges a report again, by another profile; nothing is measured", "muster judge");
  line.add("REPORT", file, "A report of muster; - is stdin");
  line.add("--profile", wanted, "A name or a file (default: the profile the report names)");
  line.add_output("--report", output, results::Document::report,
                  "Where the judged report goes; - is stdout (default: nowhere)");
  line.add("--json", shown.json, "Print the judged report on stdout, and the table on stderr");
  line.add("--quiet", shown.quiet, "Print no table");
  add_view(line, shown);
  line.examples({"muster judge muster-report.json --profile nd96isr_h100_v5",
                 "muster judge muster-report.json --profile ./mine.json --report judged.json"});
  return line.run(argc, argv, [&] {
    line.expect_outputs();
    expect_metric(shown);
    if (wanted == "auto") throw UsageError("--profile: auto looks at a machine, and judge at a report; name a profile");
    const auto report = judged_again(results::read_report(file), wanted);
    if (output == standard_stream)
      shown.json = true;
    else if (output)
      results::write_report(report, *output);
    return print_result(report, shown);
  });
}

}  // namespace muster::healthcheck
