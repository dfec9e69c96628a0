// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/check/run_settings.hpp"
#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/program/outputs.hpp"
#include "results/render/text.hpp"
#include "results/values/report.hpp"
#include "topology/kernel/sysfs.hpp"
#include "topology/machine/machine_summary.hpp"

namespace muster::healthcheck {

class CommandLine;

// What `muster node` and every check take.
struct Options {
  std::string profile = "auto";
  std::filesystem::path report = "muster-report.json";  // "-" is stdout
  std::optional<std::filesystem::path> summary;
  std::filesystem::path root = "/";
  RunSettings settings;
  std::optional<std::string> deliver_to;  // the inbox of `muster launch`; it has the report, once it is done
  bool json = false;                      // the report on stdout
  bool quiet = false;                     // no table and no progress
  bool all = false;                       // every value in the table
  std::vector<std::string> metrics;       // or the values of these
  bool redact = false;                    // no names, serial numbers and addresses in what is shown
  std::vector<Also> also;                 // further forms of the report
};

// Where a run of one check leaves its report, unless it is told another place.
std::filesystem::path default_report(std::string_view check);

// What is shown of a report, and in which forms it is also written: --all, --metric, --redact, --also.
void add_view(CommandLine& line, Options& options);

// How a report is shown on that descriptor, by the terminal and by these options.
results::View view_of(const Options& options, int descriptor);

// Throws UsageError where the one that is to be shown is none.
void expect_metric(const Options& options);

// The default of --report is what the options hold.
void add_options(CommandLine& line, Options& options);

// The options that tell a check these settings.
std::vector<std::string> to_arguments(const RunSettings& settings);

// Their names: "--tier", "--topology" ...
std::vector<std::string> setting_names();

// Everything the options name, opened and validated; nothing has run or been written yet.
struct Setup {
  topology::Sysfs sysfs;
  topology::MachineSummary machine;
  std::string wanted_profile;  // which chooses the same again, where auto may not
  Profile profile;
  results::ProfileReference reference;
  Faults faults;
  RunSettings settings;  // whose paths are absolute, and folders usable

  // There is always one.
  std::filesystem::path scratch() const { return settings.scratch.value_or("."); }
};

// Throws UsageError: profile, root, a folder for scratch or state that is full or read-only.
Setup prepare(const Options& options);

// The report as it is before the first check: host, profile, selection, environment, status unknown "did not finish".
results::Report begin_report(const Setup& setup, results::Selection selection);

// The same of a program that runs one check, with that check's run.
results::Report begin_report(const Setup& setup, results::Tier tier, const std::string& check);

// Writes the further forms of a report that the options want.
void write_also(const results::Report& report, const Options& options);

// The last words of a run: its further forms, the table on stdout, or JSON there and the table on stderr when asked
// for. Returns the exit code.
int print_result(const results::Report& report, const Options& options);

}  // namespace muster::healthcheck
