// SPDX-License-Identifier: Apache-2.0
#include "tests/support/checked.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "healthcheck/check.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/completeness.hpp"
#include "healthcheck/context.hpp"
#include "healthcheck/judge.hpp"
#include "healthcheck/runner.hpp"
#include "results/report_json.hpp"
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
  auto name = fmt::format("{}.{}.{}.json", test->test_suite_name(), test->name(), report.profile.name);
  std::ranges::replace(name, '/', '_');
  std::filesystem::create_directories(reports_folder());
  results::write_report(report, reports_folder() / name);
}

}  // namespace

results::CheckRun checked(const std::filesystem::path& root, std::string_view profile, const Given& given) {
  const auto check = healthcheck::make_check();
  take_options(*check, given.options);
  results::Report report;
  report.selection.tier = given.tier;
  report.selection.only = {check->describe().name};
  results::CheckRun& run = report.checks.emplace_back();
  run.check = check->describe().name;
  run.host = "tested";
  const TemporaryFolder scratch;
  const healthcheck::Context::Record nowhere = [](const results::CheckRun&) {};
  healthcheck::Context context(
      {.sysfs = topology::Sysfs(root), .tier = given.tier, .scratch = scratch.path(), .state = given.state}, run,
      nowhere);
  healthcheck::bracket(*check, context, run, nowhere);

  report.version = "0.0.0";
  report.run_id = "0000000000000000";
  report.started = run.started;
  report.hosts = {{.name = "tested", .fingerprint = {}}};
  return judged_again(std::move(report), profile);
}

results::CheckRun judged_again(results::Report report, std::string_view profile) {
  const auto folder = source_folder() / "healthcheck";
  const bool is_file = profile.ends_with(".json");
  const auto wanted = healthcheck::read_profile(is_file ? std::filesystem::path(profile)
                                                        : folder / "profiles" / (std::string(profile) + ".json"));
  report.profile = {.name = wanted.name, .sha256 = wanted.sha256, .chosen_by = "test"};
  report = healthcheck::judge(healthcheck::without_verdicts(std::move(report)), wanted,
                              healthcheck::Faults(folder / "faults.json"));
  keep(report);
  return report.checks.at(0);
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
