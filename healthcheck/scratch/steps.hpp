// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/scratch/plan.hpp"

namespace muster::healthcheck::scratch {

// Does what the plan says is next on this machine, whose facts `sysfs` gave. Right before the first write each drive,
// or the array, is opened for nobody else, which the kernel refuses where it is mounted or held, and must be as empty
// as the facts say. Throws std::system_error or std::runtime_error, one sentence.
void perform(const Plan& plan, const Facts& facts, const topology::Sysfs& sysfs, const Wishes& wishes);

// Where scratch is mounted all may write, as into the folder for temporary files. Throws std::system_error.
void open_to_all(const std::filesystem::path& place);

}  // namespace muster::healthcheck::scratch
