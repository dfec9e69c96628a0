// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/sampling/stopping.hpp"
#include "healthcheck/cli/command.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/expectations/profile_lint.hpp"
#include "healthcheck/judge/bound.hpp"
#include "healthcheck/judge/run_verdict.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "results/strings/table.hpp"

namespace muster::healthcheck {
namespace {

// By which rule samples between these thresholds would be decided; empty where the thresholds are one.
std::string_view rule(const Expectation& expectation) {
  if (expectation.bound.pass == expectation.bound.fail) return "";
  return benchmarks::SequentialTest({.pass = expectation.bound.pass, .fail = expectation.bound.fail}, expectation.noise)
      .rule();
}

void print_distances(const Profile& profile, const Faults& faults) {
  std::vector<results::Row> rows{{"METRIC", "ln(pass/fail)", "noise", "of it", "rule", "EXPECTED"}};
  for (const Expectation& expectation : profile.expectations) {
    const auto labels = results::to_text(expectation.labels);
    const auto worst = severity_of(expectation, faults.find(expectation.fault));
    const auto expected = to_text(expectation, worst) + (labels.empty() ? "" : ", " + labels);
    const auto apart = distance(expectation);
    rows.push_back({expectation.metric, apart ? fmt::format("{:.4f}", apart->logarithm) : "-",
                    expectation.noise ? fmt::format("{:.2g}", *expectation.noise) : "-",
                    apart && apart->noises ? fmt::format("{:.1f}", *apart->noises) : "-",
                    std::string(apart ? rule(expectation) : ""), expected});
  }
  const auto width = results::widths(rows);
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column + 1 < row.size(); ++column)
      line += results::padded(row[column], width[column]) + "  ";
    fmt::print("{}{}\n", line, row.back());
  }
}

// A shipped one by its name, or a file.
std::filesystem::path file_of(const std::string& profile) {
  const auto choice = choose_profile(profile, installation().profiles, {});
  if (choice.files.size() > 1) throw UsageError("name one profile; several with + between them have no file");
  return choice.files.front();
}

int lint_profile(int argc, char** argv) {
  std::string profile;
  bool quiet = false;
  CommandLine line("Says what is wrong with a profile, and how far apart its thresholds are", "muster profile lint");
  line.add("PROFILE", profile, "A file, or the name of a shipped profile");
  line.add("--quiet", quiet, "Print only what is wrong");
  line.examples({"muster profile lint mine.json", "muster profile lint nd96isr_h100_v5 --quiet"});
  return line.run(argc, argv, [&] {
    const auto places = installation();
    const auto file = file_of(profile);
    const Faults faults(places.faults);
    const auto findings = lint_profile(file, known_metrics(), faults);
    for (const auto& finding : findings) fmt::print("{}\n", finding);
    if (findings.empty() && !quiet) print_distances(read_profile(file), faults);
    fmt::print("{}: {} error{}{}\n", file.string(), findings.size(), findings.size() == 1 ? "" : "s",
               findings.size() < max_findings ? "" : ", and perhaps more");
    return findings.empty() ? 0 : 1;
  });
}

constexpr std::array commands_of_profile{
    Command{"lint", "Say what is wrong with a profile, and how far apart its thresholds are", lint_profile},
};

}  // namespace

int profile_command(int argc, char** argv) {
  constexpr Group group{.name = "profile",
                        .summary = "Looks after profiles",
                        .exits = "0 no error, 1 errors were found, 2 usage or no profile"};
  return run_group(group, commands_of_profile, argc, argv);
}

}  // namespace muster::healthcheck
