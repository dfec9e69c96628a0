// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/compare/comparison_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "healthcheck/program/error.hpp"
#include "healthcheck/program/streams.hpp"

namespace muster::healthcheck::compare {

void add_options(CommandLine& line, ComparisonOptions& options, const std::string& document) {
  line.add("A", options.a, document + "; - is stdin");
  line.add("B", options.b, "The one that is held against it; - is stdin");
  line.add_choice("--format", options.format, {"text", "json"}, "text (a table), json (compare.schema.json)");
  line.add("--all", options.all, "Show also what is within noise, and what no samples tell of");
  line.add("--quiet", options.quiet, "Print no table");
}

void expect_two(const ComparisonOptions& options) {
  std::error_code of_a_file_that_is_not_there;
  if (options.a == options.b || std::filesystem::equivalent(options.a, options.b, of_a_file_that_is_not_there))
    throw UsageError(fmt::format("A and B are one file, {}; give the reports of two runs", options.b.string()));
}

int print_result(Comparison comparison, const ComparisonOptions& options) {
  comparison.a.file = options.a.string();
  comparison.b.file = options.b.string();
  if (options.format == "json") {
    print_document(to_json(comparison));
  } else if (!options.quiet) {
    auto view = view_of(STDOUT_FILENO);
    view.all = options.all;
    print_document(to_text(comparison, view));
  }
  return exit_code(comparison);
}

}  // namespace muster::healthcheck::compare
