// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace muster::healthcheck::scratch {

// Runs a program of PATH without a shell, until its end. Throws std::runtime_error with what it said where it does not
// end with 0, and std::system_error where it is not there.
void run_program(std::vector<std::string> command);

}  // namespace muster::healthcheck::scratch
