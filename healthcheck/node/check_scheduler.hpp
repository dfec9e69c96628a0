// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "healthcheck/node/node.hpp"
#include "healthcheck/node/plan.hpp"
#include "healthcheck/process/guard.hpp"
#include "healthcheck/process/progress.hpp"
#include "healthcheck/process/turn.hpp"
#include "healthcheck/program/private_folder.hpp"
#include "healthcheck/program/signals.hpp"
#include "healthcheck/run/live_report.hpp"

namespace muster::healthcheck {

// Runs tasks as guarded children, side by side where they may; run number i of the report belongs to task i.
class CheckScheduler {
 public:
  CheckScheduler(const NodeOptions& options, const Setup& setup, std::filesystem::path bin, std::vector<Task> tasks,
                 LiveReport& report, Progress& progress);

  // Until every task has ended, the budget is used up, or SIGINT, SIGTERM or SIGHUP comes.
  void run();
  // Ends every task that has not started.
  void end_pending(results::Outcome outcome, std::string_view reason);

 private:
  using Clock = std::chrono::steady_clock;

  struct Running {
    std::size_t index = 0;
    Clock::time_point started;
    Clock::time_point deadline;
    bool limited_by_budget = false;
    std::filesystem::path folder;
    std::optional<Gate> gate;  // while it prepares
    Guard guard;
  };

  bool pending(std::size_t index) const { return report_.facts(index).outcome == results::Outcome::pending; }
  void end(std::size_t index, results::CheckRun run);
  void end(std::size_t index, results::Outcome outcome, std::string_view reason);
  void end_what_cannot_run();
  void end_what_would_disturb();
  // Until every pending task has ended.
  void run_pending();
  // Once more what a `peers` verdict needs a second look at, and, where that is wanted, what failed.
  void look_again();
  void start_what_fits();
  // Whether nothing that is having its turn needs what the check needs.
  bool fits(const Description& check) const;
  // Whether it may get ready: nobody else does, and others measure disks at most, which leaves room for that.
  bool may_prepare(const Description& check) const;
  void give_turns();
  void start(std::size_t index, bool is_turn);
  void wait();
  void collect(Running& running);
  void heed_signals();
  void show_status();
  std::vector<pid_t> spared() const;
  std::vector<std::string> arguments(const Task& task, const std::filesystem::path& folder, double limit_seconds,
                                     bool is_turn) const;
  Clock::duration time_limit() const;

  const NodeOptions& options_;
  const Setup& setup_;
  std::filesystem::path bin_;
  std::vector<Task> tasks_;
  LiveReport& report_;
  Progress& progress_;
  std::vector<pid_t> strangers_;  // children that this process had before it became muster
  PrivateFolder folder_;
  Signals signals_;
  Clock::time_point budget_end_;
  std::vector<Running> running_;
  bool stopped_ = false;
};

}  // namespace muster::healthcheck
