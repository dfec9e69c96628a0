// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/report_file.hpp"

#include <fmt/format.h>

#include <system_error>

#include "healthcheck/program/outputs.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/run/report_inbox.hpp"
#include "results/json/report_json.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

// Throws results::Error.
void write_files(const results::Report& report, const Options& options) {
  const auto text = results::to_json(report);
  if (options.report != standard_stream) results::write_atomically(options.report, text);
  if (options.summary) replace_file(*options.summary, results::summary_json(report, options.report, text));
}

}  // namespace

void ReportFile::write(const results::Report& report) {
  if (options_.deliver_to) return;
  try {
    write_files(report, options_);
    problem_.clear();
  } catch (const results::Error& error) {
    problem_ =
        fmt::format("the report {} or its summary could not be written: {}", options_.report.string(), error.what());
  }
}

void ReportFile::write_last(const results::Report& report) {
  if (!options_.deliver_to) return write(report);
  try {
    send_report(results::to_json(report), *options_.deliver_to);
  } catch (const std::system_error& failure) {
    try {
      write_files(report, options_);
      tell(fmt::format("the report is {} on {}, for it could not be delivered: {}\n",
                       std::filesystem::absolute(options_.report).string(), report.hosts.front().name, failure.what()));
    } catch (const results::Error& error) {
      problem_ = fmt::format("the report could not be delivered ({}) nor written: {}", failure.what(), error.what());
    }
  }
}

int ReportFile::ended(int code) const {
  if (problem_.empty()) return code;
  tell(problem_ + "\n");
  return results::exit_code(results::Status::unknown);
}

}  // namespace muster::healthcheck
