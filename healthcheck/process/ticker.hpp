// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "healthcheck/process/progress.hpp"

namespace muster::healthcheck {

// On a terminal, what one check does and for how long, rewritten several times each second until its object is gone.
class Ticker {
 public:
  // `typical_seconds` is how long such a check takes; 0 where nobody knows.
  Ticker(bool quiet, std::string name, double typical_seconds);

  // What it does from now on. Of any thread.
  void say(const std::string& what);

 private:
  void tick(const std::stop_token& stop);

  Progress progress_;
  std::string name_;
  std::string usual_;  // ", usually 4 s"
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string what_;
  std::jthread thread_;
};

}  // namespace muster::healthcheck
