// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "healthcheck/program/signals.hpp"

namespace muster::healthcheck {

// What is said of a start begins so, with the program's name, on stderr and in the letter to muster launch.
inline constexpr std::string_view start_of_checks = "muster-";

// In what is said of a start that a signal ended, which may have another cause.
inline constexpr std::string_view words_when_told_to_stop = "when the job was told to stop";

// Watches the start of a job on one host, until its end: MPI waits for ever, and in silence, where the network between
// the hosts is cut.
class StartWatch {
 public:
  // Ends this process with these words; called by the thread of the watch. Must not return.
  using GiveUp = std::function<void(const std::string& words)>;

  // What it knows of the job.
  struct Job {
    std::string network;                        // over which MPI talks TCP: "eth0 (10.0.0.4)"; empty where MPI chooses
    std::string port;                           // of ssh, whose server starts a child for each that asks
    std::string idle_port = "1";                // tcpmux, which nobody serves: a host that refuses it is there
    std::size_t hosts = 1;                      // more of them take longer to start
    std::optional<std::string> next;            // address of another host, which should answer
    std::chrono::milliseconds patience{3000};   // with its silence, where MPI has not connected the ranks meanwhile
    std::function<void()> still_waits = [] {};  // called once, by the thread of the watch, where that takes 2 s
  };

  // Gives up where that host stays silent at the port of ssh for some seconds, or another host at a port of MPI, or
  // when one of the signals has come, which may be null.
  StartWatch(Job job, Signals* told_to_stop, GiveUp give_up);

  // The ranks are connected.
  void end();

 private:
  void run(const std::stop_token& stop);

  const Job job_;
  Signals* const told_to_stop_;
  const GiveUp give_up_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace muster::healthcheck
