// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/close_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "healthcheck/check/check.hpp"
#include "healthcheck/judge/judge.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/program/outputs.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/run/report_file.hpp"
#include "results/json/report_json.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::chrono::seconds time_to_speak{3};  // of rank 0, or of rank 1 where rank 0 is lost

// What rank 1 can say of a job that only rank 0 recorded.
results::Report begun(const RunningJob& job) {
  auto report = begin_report(job.setup, job.options.settings.tier, job.check);
  report.run_id = job.run_id;
  report.checks.front().host = job.hosts.front();
  return report;
}

int closed(const JobFailure& trouble, const RunningJob& job) {
  const auto complain = [&](std::string_view problem) {
    tell(fmt::format("{}: {}; {}\n", executable_name(job.check), trouble.reason, problem));
    return results::exit_code(results::Status::unknown);
  };
  const auto judged = [&](results::Report report) {
    return judge(with_failure(std::move(report), trouble, job), job.setup.profile, job.setup.faults);
  };
  ReportFile file(job.options);
  try {
    if (job.options.deliver_to || job.options.report == standard_stream) {
      const auto report = judged(job.last ? *job.last : begun(job));
      file.write_last(report);
      return file.ended(print_result(report, job.options));
    }
    auto report = results::report_from_json(results::read_text(job.options.report));
    if (report.run_id != job.run_id) return complain("its report is not on this host");
    // A rank 0 that was stopped goes on for a moment when mpirun ends the job, and finds that rank 1 has spoken.
    if (!report.checks.front().verdicts.empty()) return results::exit_code(report.status);
    report = judged(std::move(report));
    file.write(report);
    return file.ended(print_result(report, job.options));
  } catch (const std::exception& error) {
    return complain(fmt::format("its report cannot be closed here ({})", error.what()));
  }
}

}  // namespace

results::Report with_failure(results::Report report, const JobFailure& trouble, const RunningJob& job) {
  auto& run = report.checks.front();
  run.outcome = trouble.outcome;
  run.reason = trouble.reason;
  run.duration_seconds = seconds(std::chrono::steady_clock::now() - job.started);
  report.duration_seconds = run.duration_seconds;
  for (const auto& [rank, fate] : trouble.lost)
    run.measurements.push_back({.metric = results::metric_name(job.check, "lost_rank"),
                                .value = fate,
                                .labels = {{"rank", std::to_string(rank)}, {"host", job.hosts[rank]}},
                                .summary = {},
                                .stopping = {},
                                .limit = {}});
  for (const auto& host : job.hosts) {
    if (std::ranges::find(run.hosts, host) == run.hosts.end()) run.hosts.push_back(host);
    if (std::ranges::find(report.hosts, host, &results::Host::name) == report.hosts.end())
      report.hosts.push_back({.name = host, .fingerprint = {}});
  }
  if (run.hosts.size() == 1) run.hosts.clear();
  return report;
}

void close_report_and_exit(const JobFailure& trouble, const RunningJob& job) {
  if (job.rank > 1 || trouble.reason.empty()) {
    std::this_thread::sleep_for(time_to_speak);
    _exit(results::exit_code(results::Status::unknown));
  }
  _exit(flushed(executable_name(job.check), closed(trouble, job)));
}

}  // namespace muster::healthcheck
