// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/node.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "healthcheck/node/check_scheduler.hpp"
#include "healthcheck/node/plan.hpp"
#include "healthcheck/process/lock.hpp"

namespace muster::healthcheck {
namespace {

std::vector<std::string> known_names(const std::vector<Description>& checks, const Profile& profile) {
  std::vector<std::string> names;
  for (const auto& check : checks) names.push_back(check.name);
  for (const auto& expectation : profile.expectations)
    if (!expectation.check.empty()) names.push_back(expectation.check);
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

results::Report first_report(const Setup& setup, const results::Selection& selection, const std::vector<Task>& tasks) {
  results::Report report = begin_report(setup, selection);
  for (const Task& task : tasks) {
    results::CheckRun& run = report.checks.emplace_back();
    run.check = task.check.name;
    run.host = report.hosts.front().name;
    run.component = task.component;
  }
  return report;
}

// Those that are going to write a file of their own for a while; empty where none is.
std::string writers(const NodeOptions& options, const std::vector<Task>& tasks) {
  std::vector<std::string> names;
  for (const Task& task : tasks) {
    const bool has_disk = std::ranges::find(task.check.resources, Resource::disk) != task.check.resources.end();
    if (has_disk && !(options.common.settings.allow_raw_read && task.check.name == "disk_peers"))
      names.push_back(task.check.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string running_elsewhere(const Lock& lock) {
  const int pid = lock.holder(topology::Sysfs());
  return pid > 0 ? fmt::format("another muster (pid {}) is running", pid) : "another muster is running";
}

}  // namespace

int run_node(const NodeOptions& options, const std::filesystem::path& bin, const std::vector<Description>& checks) {
  const Setup setup = prepare(options.common);
  validate(options.selection, known_names(checks, setup.profile));
  std::optional<Lock> lock;  // a captured tree is not measured, so nobody disturbs anybody
  if (setup.sysfs.live()) lock.emplace(options.lock.value_or(default_lock()));
  const auto tasks = plan(checks, options.selection, setup.machine);
  Progress progress(options.common.quiet);
  LiveReport report(setup, options.common, first_report(setup, options.selection, tasks));
  progress.line(fmt::format("report: {}", options.common.report.string()));
  if (const auto names = writers(options, tasks); setup.sysfs.live() && !names.empty()) {
    const auto& mounts = setup.profile.scratch_mounts;
    progress.line(fmt::format(
        "for a while: a file of up to 2 GiB in {}, of {}",
        mounts.empty() ? std::filesystem::current_path().string() : fmt::format("{}", fmt::join(mounts, " or ")),
        names));
  }
  {
    CheckScheduler scheduler(options, setup, bin, tasks, report, progress);
    if (lock && !lock->held()) scheduler.end_pending(results::Outcome::in_use, running_elsewhere(*lock));
    scheduler.run();
  }
  return report.ended(print_result(report.judged(), options.common));
}

}  // namespace muster::healthcheck
