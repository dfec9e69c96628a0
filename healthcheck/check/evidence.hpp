// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "results/values/report.hpp"
#include "topology/counters/counters.hpp"

namespace muster::healthcheck {

// Every error counter this machine has, now.
std::vector<topology::Counter> read_evidence(const topology::Sysfs& sysfs);

// Counters that are in both readings, by metric and labels.
std::vector<results::Delta> deltas(const std::vector<topology::Counter>& before,
                                   const std::vector<topology::Counter>& after);

// The first counter that the second reading has no more, with its labels; empty where none is lost.
std::string lost_counter(const std::vector<topology::Counter>& before, const std::vector<topology::Counter>& after);

}  // namespace muster::healthcheck
