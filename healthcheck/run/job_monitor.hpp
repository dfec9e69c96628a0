// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "benchmarks/ranks/ranks.hpp"
#include "healthcheck/program/signals.hpp"
#include "healthcheck/run/monitor_ends.hpp"

namespace muster::healthcheck {

// Watches over a job of several ranks, because MPI cannot tell anything while it hangs: a thread of every rank holds a
// TCP connection with rank 0, and tells there how far its rank has come. It makes no call of MPI.
class JobMonitor {
 public:
  // Ends this process with what can still be said; called by the thread of the watch, on every rank that still has one.
  // Must not return.
  using GiveUp = std::function<void(const JobFailure&)>;

  // Collective. Rank 0 ends a job that is told to stop, unless a rank that died is why. Throws benchmarks::Error, the
  // same on every rank, where a rank has no connection with rank 0.
  JobMonitor(benchmarks::Ranks& ranks, const MonitoredJob& job, GiveUp give_up, Signals* told_to_stop = nullptr);
  // All is done: no rank's end is a loss any more.
  ~JobMonitor();
  JobMonitor(const JobMonitor&) = delete;
  JobMonitor& operator=(const JobMonitor&) = delete;

  // This rank cannot go on; ends the job.
  [[noreturn]] void fail(std::string words);

 private:
  void run(const std::stop_token& stop);
  std::string failure();

  const benchmarks::Steps& steps_;
  std::chrono::milliseconds interval_;
  GiveUp give_up_;
  Signals* told_to_stop_;
  std::unique_ptr<MonitorEnd> side_;
  std::mutex mutex_;
  std::string failure_;
  std::jthread thread_;
};

}  // namespace muster::healthcheck
