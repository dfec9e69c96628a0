// SPDX-License-Identifier: Apache-2.0
#include "tests/support/checked.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/ranks/thread_ranks.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/judge/judge.hpp"
#include "healthcheck/judge/missing.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/run/run_with_evidence.hpp"
#include "healthcheck/run/sampling_goal.hpp"
#include "results/json/report_json.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

std::string listing(const results::CheckRun& run) {
  std::string text = run.check + " ended as " + std::string(to_text(run.outcome)) + " " + run.reason + "\n";
  for (const auto& verdict : run.verdicts)
    text += std::string(to_text(verdict.status)) + " " + verdict.fault + " " + results::to_text(verdict.labels) + ": " +
            verdict.metric + ": " + verdict.reason + "\n";
  return text;
}

void take_options(healthcheck::Check& check, const std::vector<std::string>& options) {
  healthcheck::CommandLine line("a test", "test");
  check.add_options(line);
  std::vector<const char*> words{"test"};
  for (const auto& option : options) words.push_back(option.c_str());
  EXPECT_EQ(line.run(static_cast<int>(words.size()), words.data(), [] { return 0; }), 0);
}

// For the validator that looks at every report after all tests.
void keep(const results::Report& report) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  auto name = fmt::format("{}.{}.{}.{}.json", report.checks.front().check, test->test_suite_name(), test->name(),
                          report.profile.name);
  std::ranges::replace(name, '/', '_');
  std::filesystem::create_directories(reports_folder());
  results::write_report(report, reports_folder() / name);
}

// A shipped one, or a file.
healthcheck::Profile read(std::string_view profile) {
  if (profile.ends_with(".json")) return healthcheck::read_profile(profile);
  return healthcheck::read_profile(source_folder() / "healthcheck/profiles" / (std::string(profile) + ".json"));
}

// What the check measures on this thread, to be held against this profile.
results::CheckRun measured(const Given& given, const healthcheck::Profile& profile,
                           healthcheck::Context::Setting setting, const std::string& host) {
  const auto check = healthcheck::make_check();
  take_options(*check, given.options);
  results::CheckRun run;
  run.check = check->describe().name;
  run.host = host;
  const TemporaryFolder scratch;
  setting.settings.tier = given.tier;
  setting.deadline = given.deadline;
  setting.settings.scratch = scratch.path();
  setting.settings.state = given.state;
  setting.scratch_mounts = profile.scratch_mounts;
  setting.settings.allow_raw_read = given.allow_raw_read;
  setting.goal = [&](std::string_view metric, const results::Labels& labels,
                     const std::optional<results::Limit>& limit) {
    return healthcheck::goal(profile, {.tier = given.tier, .only = {run.check}, .skip = {}}, metric, labels, limit);
  };
  const bool is_written = given.seen && (setting.ranks == nullptr || setting.ranks->rank() == 0);
  const healthcheck::Context::Record record = is_written ? given.seen : [](const results::CheckRun&) {};
  healthcheck::Context context(std::move(setting), run, record);
  check->expect_possible(context);
  healthcheck::run_with_evidence(*check, context, run, record);
  return run;
}

results::Report report_of(results::CheckRun run, const Given& given) {
  results::Report report;
  report.selection.tier = given.tier;
  report.selection.only = {run.check};
  report.version = "0.0.0";
  report.run_id = "0000000000000000";
  report.started = run.started;
  for (const auto& host : run.hosts) report.hosts.push_back({.name = host, .fingerprint = {}});
  if (run.hosts.empty()) report.hosts = {{.name = run.host, .fingerprint = {}}};
  report.checks.push_back(std::move(run));
  return report;
}

results::CheckRun judged(results::Report report, const healthcheck::Profile& profile) {
  report.profile = {.name = profile.name, .sha256 = profile.sha256, .chosen_by = "test"};
  report = healthcheck::judge(healthcheck::without_verdicts(std::move(report)), profile,
                              healthcheck::Faults(source_folder() / "healthcheck/faults.json"));
  keep(report);
  return report.checks.at(0);
}

}  // namespace

results::CheckRun checked(const std::filesystem::path& root, std::string_view profile, const Given& given) {
  const auto wanted = read(profile);
  auto run = measured(given, wanted, {.sysfs = topology::Sysfs(root)}, "tested");
  return judged(report_of(std::move(run), given), wanted);
}

results::CheckRun checked(const std::vector<std::filesystem::path>& roots, std::string_view profile,
                          const Given& given) {
  std::vector<std::string> hosts;
  for (std::size_t host = 0; host < roots.size(); ++host) hosts.push_back(fmt::format("host{}", host));
  const auto wanted = read(profile);
  std::vector<results::CheckRun> runs(roots.size());
  benchmarks::as_ranks(roots.size(), [&](benchmarks::Ranks& ranks) {
    const auto own = static_cast<std::size_t>(ranks.rank());
    runs[own] =
        measured(given, wanted, {.sysfs = topology::Sysfs(roots[own]), .ranks = &ranks, .hosts = hosts}, hosts[own]);
  });
  for (const auto& run : runs) EXPECT_EQ(run.outcome, runs.front().outcome) << listing(run);
  runs.front().hosts = hosts;
  return judged(report_of(std::move(runs.front()), given), wanted);
}

results::CheckRun judged_again(results::Report report, std::string_view profile) {
  return judged(std::move(report), read(profile));
}

void expect_fault(const results::CheckRun& run, results::Status status, std::string_view fault,
                  const results::Labels& component) {
  const bool found = std::ranges::any_of(run.verdicts, [&](const results::Verdict& verdict) {
    return verdict.status == status && verdict.fault == fault && std::ranges::all_of(component, [&](const auto& label) {
             const auto at = verdict.labels.find(label.first);
             return at != verdict.labels.end() && at->second == label.second;
           });
  });
  EXPECT_TRUE(found) << "no " << to_text(status) << " " << fault << " for " << results::to_text(component)
                     << "; instead:\n"
                     << listing(run);
}

void expect_healthy(const results::CheckRun& run) { EXPECT_EQ(run.status, results::Status::pass) << listing(run); }

}  // namespace muster::tests
