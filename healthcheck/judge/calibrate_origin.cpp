// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/calibrate_origin.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

using results::Report;

// "Xeon, NVIDIA H100": what must be alike for thresholds to carry over.
std::string machine_of(const Report& report) {
  std::vector<std::string> models;
  for (const results::Host& host : report.hosts)
    for (const std::string_view name : {"cpu_model", "gpu_model"})
      if (const auto at = host.fingerprint.find(name);
          at != host.fingerprint.end() && std::ranges::find(models, at->second) == models.end())
        models.push_back(at->second);
  return fmt::format("{}", fmt::join(models, ", "));
}

std::string hosts_of(const Report& report) {
  std::vector<std::string> names;
  for (const results::Host& host : report.hosts) names.push_back(host.name);
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Whether nothing but an older calibration says that a run failed.
bool failed_by_calibration_alone(const Report& report) {
  bool is_slower = false;
  for (const auto& run : report.checks)
    for (const auto& verdict : run.verdicts) {
      if (verdict.status != results::Status::fail) continue;
      if (verdict.fault != calibrated_fault) return false;
      is_slower = true;
    }
  return is_slower;
}

void expect_healthy(const Report& report, const std::string& file) {
  if (report.status != results::Status::fail) return;
  const auto named = file.empty() ? "" : file + ": ";
  throw UsageError(fmt::format(
      "{}run {} failed ({}); calibrate from healthy runs only{}", named, report.run_id, report.summary,
      failed_by_calibration_alone(report)
          ? fmt::format("; it failed by an older calibration alone, so if it is healthy judge it by another profile "
                        "first: muster judge {} --profile generic --report healthy.json",
                        file.empty() ? "REPORT" : file)
          : ""));
}

}  // namespace

Origin origin_of(std::span<const Report> reports, const Calibration& calibration) {
  if (reports.empty()) throw UsageError("there is no report to calibrate from; name at least one");
  if (reports.size() == 1 && !calibration.pass)
    throw UsageError("one run does not tell how runs differ; give three, or the thresholds by --pass and --fail");
  Origin origin;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Report& report = reports[i];
    expect_healthy(report, i < calibration.files.size() ? calibration.files[i] : "");
    if (machine_of(report) != machine_of(reports.front()))
      throw UsageError(
          fmt::format("run {} is of another kind of machine ('{}') than run {} ('{}'); calibrate each alone",
                      report.run_id, machine_of(report), reports.front().run_id, machine_of(reports.front())));
    if (hosts_of(report) != hosts_of(reports.front()))
      throw UsageError(fmt::format("run {} is of host {} and run {} of host {}; calibrate each alone", report.run_id,
                                   hosts_of(report), reports.front().run_id, hosts_of(reports.front())));
    if (std::ranges::find(ids, report.run_id) != ids.end())
      throw UsageError(fmt::format("run {} is given twice; measure again instead", report.run_id));
    ids.push_back(report.run_id);
    origin.date = std::max(origin.date, report.started.substr(0, 10));
    origin.tier = std::min(origin.tier, report.selection.tier);
  }
  origin.runs = fmt::format("{}", fmt::join(ids, ", "));
  return origin;
}

}  // namespace muster::healthcheck
