// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "healthcheck/check/check.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/compare/compare_reports.hpp"
#include "healthcheck/compare/comparison_options.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/outputs.hpp"
#include "results/json/document.hpp"
#include "results/json/report_json.hpp"

namespace muster::healthcheck {
namespace {

using results::Document;

// Two reports of fleets are compared by the program that knows them. Returns only where the two are of machines.
void leave_fleets_to_their_program(const compare::ComparisonOptions& options, std::span<char*> arguments) {
  const std::array kinds{results::document_in(options.a), results::document_in(options.b)};
  const bool is_fleet = kinds[0] == Document::fleet_report, is_other = kinds[1] == Document::fleet_report;
  if (!is_fleet && !is_other) return;
  if (!is_fleet || !is_other) {
    const bool is_report = kinds[is_fleet ? 1 : 0] == Document::report;
    if (is_report)
      throw UsageError(fmt::format("{} is the report of a fleet and {} that of a run; compare two of one sort",
                                   (is_fleet ? options.a : options.b).string(),
                                   (is_fleet ? options.b : options.a).string()));
    return;  // whoever reads them says what the other one is
  }
  if (options.a == standard_stream || options.b == standard_stream)
    throw UsageError("stdin holds the report of a fleet; give it to muster fleet compare");
  const auto program = installation().bin / executable_name("fleet");
  auto name = program.string();
  std::vector words{name.data()};
  words.insert(words.end(), arguments.begin(), arguments.end());  // "compare" is the first
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  throw UsageError(fmt::format("reports of fleets are compared by {}, which cannot be started: {}", program.string(),
                               std::strerror(errno)));
}

}  // namespace

int compare_command(int argc, char** argv) {
  compare::ComparisonOptions options;
  CommandLine line("Says what is better, worse, new or gone in report B against report A, and what is noise",
                   "muster compare");
  compare::add_options(line, options, "A report of muster, or of a fleet");
  line.examples({"muster compare yesterday.json today.json", "muster compare gpu-1.json gpu-2.json --all",
                 "muster compare yesterday.json today.json --format json"});
  return line.run(argc, argv, [&] {
    compare::expect_two(options);
    leave_fleets_to_their_program(options, {argv, static_cast<std::size_t>(argc)});
    auto comparison = compare::comparison_of(results::read_report(options.a), results::read_report(options.b));
    return compare::print_result(std::move(comparison), options);
  });
}

}  // namespace muster::healthcheck
