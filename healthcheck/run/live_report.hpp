// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "healthcheck/run/options.hpp"
#include "healthcheck/run/report_file.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// The report of a run in progress: after every change it is judged and on disk, so that whatever happens to this
// program, the truth so far is there.
class LiveReport {
 public:
  LiveReport(const Setup& setup, const Options& options, results::Report facts);

  std::size_t size() const { return facts_.checks.size(); }
  const results::CheckRun& facts(std::size_t index) const { return facts_.checks.at(index); }
  const results::CheckRun& judged(std::size_t index) const { return judged_.checks.at(index); }
  const results::Report& judged() const { return judged_; }
  // As healthcheck::checks_to_confirm().
  std::vector<std::string> checks_to_confirm() const;
  std::size_t count(results::Outcome outcome) const;

  void update(std::size_t index, results::CheckRun run);
  void add(results::CheckRun run);

  int ended(int code) const { return file_.ended(code); }

 private:
  void publish();

  const Setup& setup_;
  ReportFile file_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  results::Report facts_;
  results::Report judged_;
};

}  // namespace muster::healthcheck
