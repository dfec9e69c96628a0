// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "healthcheck/program/descriptor.hpp"

namespace muster::healthcheck {

struct Started {
  pid_t pid = -1;      // -1 when it did not start
  std::string reason;  // the system's own words for that
  Descriptor output;   // what it prints; does not block
};

// Starts the command in a session of its own with default signals and no input, outside of any job that this program is
// started in; it is killed when the caller dies.
Started start(const std::vector<std::string>& command);

}  // namespace muster::healthcheck
