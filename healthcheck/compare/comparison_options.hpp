// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "healthcheck/compare/comparison.hpp"
#include "healthcheck/program/command_line.hpp"

namespace muster::healthcheck::compare {

// What the commands that compare are told.
struct ComparisonOptions {
  std::filesystem::path a, b;
  std::string format = "text";
  bool all = false;
  bool quiet = false;
};

// `document` says what A and B are.
void add_options(CommandLine& line, ComparisonOptions& options, const std::string& document);

// Throws UsageError where A and B are one file.
void expect_two(const ComparisonOptions& options);

// Prints it as is wanted, with the names of the files; its exit code.
int print_result(Comparison comparison, const ComparisonOptions& options);

}  // namespace muster::healthcheck::compare
