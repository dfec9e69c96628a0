// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/json/document.hpp"

namespace muster::healthcheck {

// In the place of a file it is stdout.
inline constexpr std::string_view standard_stream = "-";

// A file that a command writes.
struct Output {
  std::string option;  // "--report"
  std::filesystem::path file;
  results::Document kind = results::Document::other;
};

// What else a command was told, which may be the name of a file that it reads.
struct Input {
  std::string option;  // "--profile"
  std::string value;
};

// Throws UsageError where two outputs have one place, one cannot be written, or, without `force`, one is a file that
// the command reads, or is there already and holds something else than an older document of its kind.
void expect_outputs(const std::vector<Output>& outputs, const std::vector<Input>& inputs, bool force);

// To the file, or to stdout. Throws results::Error, std::system_error.
void write_document(const std::filesystem::path& file, std::string_view text);

}  // namespace muster::healthcheck
