// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace muster::healthcheck {

// What stands before a program that is started as a job on this machine: one rank for each GPU, but two at least.
// Throws std::system_error where there is no mpirun.
std::vector<std::string> mpirun(std::size_t gpus);

}  // namespace muster::healthcheck
