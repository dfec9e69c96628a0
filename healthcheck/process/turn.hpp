// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "healthcheck/program/descriptor.hpp"

namespace muster::healthcheck {

// By a file that `muster node` has locked it tells a check, which has been started early and prepares what it will
// need, that its turn to measure has not come.
class Turn {
 public:
  // Throws UsageError where the file cannot be read.
  explicit Turn(const std::filesystem::path& file);

  bool has_come() const;
  void await() const;

 private:
  Descriptor file_;
};

// The other side: nobody has a turn until it is given, or this process and those that it has forked are gone.
class Gate {
 public:
  // Makes the file. Throws std::system_error.
  explicit Gate(const std::filesystem::path& file);

  void give_turn() const;

 private:
  Descriptor file_;
};

}  // namespace muster::healthcheck
