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
#include "healthcheck/process/turn.hpp"
#include "results/values/report.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

using Deadline = std::chrono::steady_clock::time_point;

// Everything a check may know of the world outside it. Threads may share it.
class Context {
 public:
  using Record = std::function<void(const results::CheckRun&)>;
  using FindGoal = std::function<benchmarks::Goal(std::string_view metric, const results::Labels& labels,
                                                  const std::optional<results::Limit>& limit)>;

  struct Setting {
    topology::Sysfs sysfs;
    results::Tier tier = results::Tier::quick;
    Deadline deadline = Deadline::max();
    std::filesystem::path scratch = ".";
    std::optional<std::filesystem::path> state = std::nullopt;
    std::optional<std::filesystem::path> topology = std::nullopt;
    std::vector<std::string> scratch_mounts = {};
    bool allow_raw_read = false;
    FindGoal goal = {};
    benchmarks::Ranks* ranks = nullptr;   // of a check whose scope is `ranks`
    std::vector<std::string> hosts = {};  // of these ranks, by rank
    const Turn* turn = nullptr;           // to wait for; none where it has come
  };

  // `record` is called with the run after every change and returns when it is on disk.
  Context(Setting setting, results::CheckRun& run, Record record);

  const topology::Sysfs& sysfs() const { return setting_.sysfs; }
  results::Tier tier() const { return setting_.tier; }
  Deadline deadline() const { return setting_.deadline; }
  const std::filesystem::path& scratch() const { return setting_.scratch; }
  // Where a check may leave what the next run of it compares with.
  const std::optional<std::filesystem::path>& state() const { return setting_.state; }
  // The topology file that was given; NCCL's own where none was.
  const std::optional<std::filesystem::path>& topology() const { return setting_.topology; }
  // Where the profile says that the scratch disks of such a machine are mounted.
  const std::vector<std::string>& scratch_mounts() const { return setting_.scratch_mounts; }

  // Whether a check that prepares may measure now, and need no longer leave the machine to others.
  bool is_turn() const { return setting_.turn == nullptr || setting_.turn->has_come(); }
  void await_turn();
  double waited_seconds() const { return waited_seconds_; }

  // Whether drives with other people's data may be read as a whole.
  bool allow_raw_read() const { return setting_.allow_raw_read; }

  // The ranks of this job. Throws std::logic_error in a check that has none.
  benchmarks::Ranks& ranks() const;
  // The names of their hosts, by rank.
  const std::vector<std::string>& hosts() const { return setting_.hosts; }
  // The edges and the noise, as plain numbers, that a rate will be held against; empty where there are none.
  benchmarks::Goal goal(std::string_view metric, const results::Labels& labels,
                        const std::optional<results::Limit>& limit = {}) const;

  // Options limit what this check measures to these values of a label.
  void select(std::string label, std::vector<std::string> values);

  // The fact is on disk when this returns. In a job only what rank 0 adds is reported.
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
