// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "healthcheck/run/options.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// Where a run leaves its report and its summary: in files, on stdout at the end, or with `muster launch`. What cannot
// be written while it goes on ends no run; it is tried again with the next report.
class ReportFile {
 public:
  explicit ReportFile(const Options& options) : options_(options) {}

  // One that will change; nothing where it is to be delivered.
  void write(const results::Report& report);
  // One that will not. Where it cannot be delivered it becomes a file here, and a sentence on stderr says so.
  void write_last(const results::Report& report);

  // The exit code of a run that would end with `code`: where the last report is not there, a sentence and 3.
  int ended(int code) const;

 private:
  const Options& options_;
  std::string problem_;  // of the last one
};

}  // namespace muster::healthcheck
