// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>

#include "healthcheck/process/supervise.hpp"
#include "healthcheck/program/descriptor.hpp"

namespace muster::healthcheck {

// A forked process that supervises one command. It outlives neither the command nor this program: when this program
// dies, SIGKILL included, the guard kills what it guards and ends. The program must have one thread.
class Guard {
 public:
  // Throws std::system_error when there is no process to be had.
  Guard(const std::vector<std::string>& command, std::chrono::steady_clock::time_point deadline,
        const IsHopeless& is_hopeless = {});
  Guard(Guard&& other) noexcept;
  Guard& operator=(Guard&& other) noexcept;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard();  // ends the command and waits

  pid_t pid() const { return pid_; }                 // -1 after ending()
  int descriptor() const { return pipe_.number(); }  // readable when the ending is there
  void stop() const;                                 // ends the command; the ending will be `interrupted`
  void kill() const;                                 // for a guard that does not answer; the ending will be `lost`
  ProcessExit ending();                              // waits for it; `lost` when asked again

 private:
  pid_t pid_ = -1;
  Descriptor pipe_;
};

}  // namespace muster::healthcheck
