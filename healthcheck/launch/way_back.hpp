// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/process/guard.hpp"
#include "healthcheck/start/mpirun_job.hpp"

namespace muster::healthcheck {

// Whether the hosts of a job reach the machine that starts it, as mpirun's daemons must: they wait for ever, and in
// silence, where what they send is dropped. Hosts are asked by ssh, and only where some have no connection with mpirun
// after two seconds, in large jobs more, and no others come any more.
class WayBack {
 public:
  struct Job {
    MpirunJob mpirun;
    std::vector<std::string> addresses;  // of the hosts
    std::string port;                    // at which this machine listens
    std::filesystem::path program;       // muster, on each host
  };

  explicit WayBack(Job job);

  // Why the job cannot start, once; looks without waiting.
  std::optional<std::string> why_none();

 private:
  struct Asked {
    std::string host;
    std::string here;  // address of this machine
    Guard answer;
    std::optional<std::string> trouble = {};
    bool has_answered = false;
  };

  bool is_time_to_ask();
  void ask();
  void listen();

  Job job_;
  std::chrono::milliseconds time_until_next_;  // at most, after a host that has come
  std::chrono::steady_clock::time_point next_look_;
  std::chrono::steady_clock::time_point last_came_;
  std::vector<std::size_t> away_;  // hosts without a connection, by their places in the list
  bool is_over_ = false;
  std::vector<Asked> asked_;
};

}  // namespace muster::healthcheck
