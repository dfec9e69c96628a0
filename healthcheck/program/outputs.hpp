// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
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
  std::string begins = {};  // a file that begins so is an older one, too; where it is empty, none is
};

// A further form of what a command prints: --also FORMAT=FILE.
struct Also {
  std::string format;
  std::filesystem::path file;
};

// The forms that there are.
struct AlsoForm {
  std::string name;
  std::string begins;  // as that of an Output
};

// What else a command was told, which may be the name of a file that it reads.
struct Input {
  std::string option;  // "--profile"
  std::string value;
};

// Throws UsageError where two outputs have one place, one cannot be written, or, without `force`, one is a file that
// the command reads, or is there already and holds something else than an older document of its kind.
void expect_outputs(const std::vector<Output>& outputs, const std::vector<Input>& inputs, bool force);

// As a whole or not at all; but in place where the file is mounted by itself, as Kubernetes does with that of a
// termination message. Throws results::Error.
void replace_file(const std::filesystem::path& file, std::string_view text);

// Makes each and writes it so. What cannot be written is a warning, and the command goes on.
void write_also(const std::vector<Also>& also, const std::function<std::string(const std::string& format)>& make);

// To the file, or to stdout. Throws results::Error, std::system_error.
void write_document(const std::filesystem::path& file, std::string_view text);

}  // namespace muster::healthcheck
