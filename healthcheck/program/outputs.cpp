// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "healthcheck/program/error.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

namespace fs = std::filesystem;

bool is_same(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::absolute(one, ignored).lexically_normal() == fs::absolute(other, ignored).lexically_normal() ||
         fs::equivalent(one, other, ignored);
}

bool begins_as_older(const Output& output) {
  if (output.begins.empty()) return false;
  std::ifstream file(output.file, std::ios::binary);
  std::string beginning(output.begins.size(), '\0');
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return file && beginning == output.begins;
}

std::string named(const Output& output) { return fmt::format("{} {}", output.option, output.file.string()); }

void expect_apart(const std::vector<Output>& outputs) {
  for (auto one = outputs.begin(); one != outputs.end(); ++one) {
    const auto other =
        std::find_if(std::next(one), outputs.end(), [&](const Output& each) { return is_same(one->file, each.file); });
    if (other != outputs.end())
      throw UsageError(fmt::format("{} is where {} goes, too; name another place", named(*other), one->option));
  }
}

// What a file holds that must not be lost; empty where it may be replaced.
std::string_view what_is_lost(const Output& output) {
  struct stat status {};
  if (lstat(output.file.c_str(), &status) != 0) return "";
  if (S_ISLNK(status.st_mode)) return "is a link";
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return "";
  if ((status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) return "may not be written";
  if (begins_as_older(output)) return "";
  if (output.kind == results::Document::other)
    return output.begins.empty() ? "is there already" : "holds something else";
  const auto held = results::document_in(output.file);
  return held == output.kind || held == results::Document::cut ? "" : "holds something else";
}

void expect_harmless(const Output& output, const std::vector<Input>& inputs) {
  const auto input = std::ranges::find_if(inputs, [&](const Input& each) { return is_same(each.value, output.file); });
  if (input != inputs.end())
    throw UsageError(fmt::format("{} would replace what {} reads; name another place, or add --force", named(output),
                                 input->option));
  const auto lost = what_is_lost(output);
  if (!lost.empty()) throw UsageError(fmt::format("{} {}; name another place, or add --force", named(output), lost));
}

// Proves it by writing.
void expect_writable(const Output& output) {
  std::error_code absent;
  const auto kind = fs::status(output.file, absent);
  if (is_directory(kind)) throw UsageError(fmt::format("{} is a folder; name a file in it", named(output)));
  if (exists(kind) && !is_regular_file(kind))
    throw UsageError(fmt::format("{} is not a regular file; name another place, or - for stdout", named(output)));
  try {
    if (results::is_mounted(output.file))
      results::write_in_place(output.file, "");
    else
      results::expect_room(output.file.parent_path());
  } catch (const results::Error& error) {
    throw UsageError(fmt::format("{} cannot be written ({}); name another place", named(output), error.what()));
  }
}

}  // namespace

void expect_outputs(const std::vector<Output>& outputs, const std::vector<Input>& inputs, bool force) {
  std::vector<Output> files;
  std::ranges::copy_if(outputs, std::back_inserter(files),
                       [](const Output& output) { return output.file != standard_stream; });
  expect_apart(files);
  if (!force)
    for (const Output& output : files) expect_harmless(output, inputs);
  for (const Output& output : files) expect_writable(output);
}

void replace_file(const fs::path& file, std::string_view text) {
  if (results::is_mounted(file))
    results::write_in_place(file, text);
  else
    results::write_atomically(file, text);
}

void write_also(const std::vector<Also>& also, const std::function<std::string(const std::string& format)>& make) {
  for (const Also& each : also) {
    try {
      replace_file(each.file, make(each.format));
    } catch (const std::exception& error) {
      tell(fmt::format("--also {}={} is not written: {}\n", each.format, each.file.string(), in_words(error)));
    }
  }
}

void write_document(const fs::path& file, std::string_view text) {
  if (file == standard_stream)
    print_document(text);
  else
    results::write_atomically(file, text);
}

}  // namespace muster::healthcheck
