// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/program/outputs.hpp"
#include "results/values/report.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}

namespace muster::healthcheck {

// The arguments of one program: CLI11 behind a few overloads, because it is slow to compile. Names with dashes are
// options; names without are positional and required unless the value is an optional. Defaults are what values hold.
class CommandLine {
 public:
  CommandLine(const std::string& summary, const std::string& name);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  void add(const std::string& name, bool& flag, const std::string& help);
  void add(const std::string& name, std::string& value, const std::string& help);
  void add(const std::string& name, std::optional<std::string>& value, const std::string& help);
  void add(const std::string& name, std::filesystem::path& value, const std::string& help);
  void add(const std::string& name, std::optional<std::filesystem::path>& value, const std::string& help);
  void add(const std::string& name, std::vector<std::filesystem::path>& values, const std::string& help);
  void add(const std::string& name, double& value, const std::string& help);
  void add(const std::string& name, results::Tier& value, const std::string& help);
  void add(const std::string& name, std::size_t& value, const std::string& help);
  void add(const std::string& name, std::optional<std::size_t>& value, const std::string& help);
  // Greater than zero.
  void add_positive(const std::string& name, double& value, const std::string& help);
  void add_positive(const std::string& name, std::optional<double>& value, const std::string& help);
  void add_positive(const std::string& name, std::optional<std::size_t>& value, const std::string& help);
  // A size such as 512M, in units of 1024, of at least `least` bytes.
  void add_bytes(const std::string& name, std::optional<std::size_t>& value, std::size_t least,
                 const std::string& help);
  void add_bytes(const std::string& name, std::size_t& value, std::size_t least, const std::string& help);
  // Words separated by commas.
  void add_list(const std::string& name, std::vector<std::string>& values, const std::string& help);
  void add_choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                  const std::string& help);

  // Of these nobody asks whether they are there before the command does: the mount of one may hang.
  void add_folder(const std::string& name, std::filesystem::path& folder, const std::string& help);
  void add_folder(const std::string& name, std::optional<std::filesystem::path>& folder, const std::string& help);
  void add_folder(const std::string& name, std::vector<std::filesystem::path>& folders, const std::string& help);

  // A file that the command writes; with the first of them comes --force.
  void add_output(const std::string& name, std::filesystem::path& file, results::Document kind,
                  const std::string& help);
  void add_output(const std::string& name, std::optional<std::filesystem::path>& file, results::Document kind,
                  const std::string& help);

  // --also FORMAT=FILE, as often as wanted: files that the command writes, too.
  void add_also(std::vector<Also>& also, const std::vector<AlsoForm>& forms);

  // The title in --help of the options that are added from here on.
  void group(const std::string& title);
  // Commands that --help ends with.
  void examples(const std::vector<std::string>& commands);

  // Everything from the first word on that is no option of this program.
  void add_rest(std::vector<std::string>& words, const std::string& name, const std::string& help);

  // For a body that is about to write: as expect_outputs, of what was parsed.
  void expect_outputs() const;

  // Of the processes of a job one speaks; the others, told the same, print nothing and return 0.
  enum class Voice { loud, silent };

  // Parses the arguments and runs the body. Bad usage and bad input become one sentence on stderr and 2, a call that
  // should have worked one sentence and 3; --help prints and returns 0.
  int run(int argc, const char* const* argv, const std::function<int()>& body, Voice voice = Voice::loud) const;

 private:
  void add_force();

  std::unique_ptr<CLI::App> app_;
  std::vector<std::function<std::vector<Output>()>> outputs_;
  bool force_ = false;
};

}  // namespace muster::healthcheck
