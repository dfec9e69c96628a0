// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/ranks/ranks.hpp"
#include "benchmarks/sampling/stopping.hpp"
#include "healthcheck/check/run_settings.hpp"
#include "healthcheck/process/turn.hpp"
#include "results/values/report.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

using Deadline = std::chrono::steady_clock::time_point;

// Everything a check may know of the world outside it. Threads may share it.
class Context {
 public:
  using Record = std::function<void(const results::CheckRun&)>;
  using FindGoal = std::function<benchmarks::SamplingGoal(std::string_view metric, const results::Labels& labels,
                                                          const std::optional<results::Limit>& limit)>;

  struct Setting {
    topology::Sysfs sysfs;
    RunSettings settings = {};
    Deadline deadline = Deadline::max();
    std::vector<std::string> scratch_mounts = {};
    FindGoal goal = {};
    benchmarks::Ranks* ranks = nullptr;   // of this job, or of this process alone
    std::vector<std::string> hosts = {};  // of these ranks, by rank
    const Turn* turn = nullptr;           // to wait for; none where it has come
  };

  // `record` is called with the run after every change and returns when it is on disk.
  Context(Setting setting, results::CheckRun& run, Record record);

  const topology::Sysfs& sysfs() const { return setting_.sysfs; }
  const RunSettings& settings() const { return setting_.settings; }
  results::Tier tier() const { return settings().tier; }
  Deadline deadline() const { return setting_.deadline; }
  std::filesystem::path scratch() const { return settings().scratch.value_or("."); }
  // Where the profile says that the scratch disks of such a machine are mounted.
  const std::vector<std::string>& scratch_mounts() const { return setting_.scratch_mounts; }

  // Whether a check that prepares may measure now, and need no longer leave the machine to others.
  bool is_turn() const { return setting_.turn == nullptr || setting_.turn->has_come(); }
  void await_turn();
  double waited_seconds() const { return waited_seconds_; }

  // The ranks of this job. Throws std::logic_error in a check that has none.
  benchmarks::Ranks& ranks() const;
  // The names of their hosts, by rank.
  const std::vector<std::string>& hosts() const { return setting_.hosts; }
  // The thresholds and the noise, as plain numbers, that a rate will be held against; empty where there are none.
  benchmarks::SamplingGoal goal(std::string_view metric, const results::Labels& labels,
                                const std::optional<results::Limit>& limit = {}) const;

  // Options limit what this check measures to these values of a label.
  void select(std::string label, std::vector<std::string> values);

  // The fact is on disk when this returns. Throws std::domain_error where it is a number that is not finite. In a job
  // only what rank 0 adds is reported.
  void add(results::Measurement measurement);
  void add(std::string metric, results::Value value, results::Labels labels = {});
  void add(std::vector<results::Measurement> measurements);
  // A file of the kernel that this check wanted: CHECK.unreadable_file says of each what is wrong with it. sysfs()
  // tells.
  void damaged(const topology::Error& error);
  std::size_t damaged_files() const;
  // What the check does now; it is what a report says of a check that hung or crashed.
  void phase(std::string_view phase);

 private:
  Setting setting_;
  double waited_seconds_ = 0;
  mutable std::mutex mutex_;  // of the run, and of what is damaged
  std::set<std::string> damaged_;
  results::CheckRun& run_;
  Record record_;
};

}  // namespace muster::healthcheck
