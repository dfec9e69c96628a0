// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include "healthcheck/node/supervise.hpp"

namespace muster::healthcheck {

// A forked process that supervises one command. It outlives neither the command nor this program: when this program
// dies, SIGKILL included, the guard kills what it guards and ends.
class Guard {
 public:
  Guard(const Command& command, std::chrono::steady_clock::time_point deadline);
  Guard(Guard&&) noexcept;
  Guard& operator=(Guard&&) noexcept;
  ~Guard();  // ends the command and waits

  int descriptor() const { return pipe_; }  // readable when the ending is there
  void stop();                              // ends the command; the ending will be `interrupted`
  Ending ending();                          // waits for it

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
};

}  // namespace muster::healthcheck
