// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "healthcheck/check/check.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/compare/compare_reports.hpp"
#include "healthcheck/compare/comparison_options.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "results/json/document.hpp"
#include "results/json/report_json.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

// Two reports of fleets are compared by the program that knows them, which reads them again. Does not return.
[[noreturn]] void leave_to_fleet(const compare::ComparisonOptions& options, std::span<char*> arguments) {
  std::error_code ignored;
  for (const auto& file : {options.a, options.b})
    if (!std::filesystem::is_regular_file(file, ignored))
      throw UsageError(
          fmt::format("{} holds the report of a fleet and is no file; use muster fleet compare", file.string()));
  const auto program = installation().bin / executable_name("fleet");
  auto name = program.string();
  std::vector words{name.data()};
  words.insert(words.end(), arguments.begin(), arguments.end());  // "compare" is the first
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  throw UsageError(fmt::format("reports of fleets are compared by {}, which cannot be started: {}", program.string(),
                               std::strerror(errno)));
}

void expect_one_sort(results::Document a, results::Document b, const compare::ComparisonOptions& options) {
  const auto of = [](const std::filesystem::path& fleet, const std::filesystem::path& run) {
    throw UsageError(fmt::format("{} is the report of a fleet and {} that of a run; compare two of one sort",
                                 fleet.string(), run.string()));
  };
  if (a == results::Document::fleet_report && b == results::Document::report) of(options.a, options.b);
  if (b == results::Document::fleet_report && a == results::Document::report) of(options.b, options.a);
}

}  // namespace

int compare_command(int argc, char** argv) {
  compare::ComparisonOptions options;
  CommandLine line("Says what is better, worse, new or gone in report B against report A, and what is noise",
                   "muster compare");
  compare::add_options(line, options, "A report of muster, or of a fleet");
  line.examples({"muster compare yesterday.json today.json", "muster compare gpu-1.json gpu-2.json --all"});
  return line.run(argc, argv, [&] {
    compare::expect_two(options);
    const auto a = results::read_text(options.a), b = results::read_text(options.b);
    const auto kind = results::document_of(a), other = results::document_of(b);
    expect_one_sort(kind, other, options);
    if (kind == results::Document::fleet_report && other == kind)
      leave_to_fleet(options, {argv, static_cast<std::size_t>(argc)});
    auto comparison =
        compare::comparison_of(results::report_from_file(a, options.a), results::report_from_file(b, options.b));
    return compare::print_result(std::move(comparison), options);
  });
}

}  // namespace muster::healthcheck
