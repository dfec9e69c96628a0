// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/report.hpp"
#include "topology/counters.hpp"

namespace muster::healthcheck {

// Every error counter this machine has, now. A new source is one more row in evidence.cpp.
std::vector<topology::Counter> read_evidence(const topology::Sysfs& sysfs);

// Counters that are in both readings, by metric and labels.
std::vector<results::Delta> deltas(const std::vector<topology::Counter>& before,
                                   const std::vector<topology::Counter>& after);

// The first counter that the second reading has no more, with its labels; empty where none is lost.
std::string lost(const std::vector<topology::Counter>& before, const std::vector<topology::Counter>& after);

// Why nobody can tell how much a counter grew: it went down. Nothing where that is known.
std::optional<std::string> why_unknown(const results::Delta& delta);

// How the text begins that stands for the growth of a counter which was full before and after.
inline constexpr std::string_view full_counter = "stands at the most that it can count,";

// That text; nothing for a counter that is not full, or that became so meanwhile.
std::optional<std::string> why_full(const results::Delta& delta);

}  // namespace muster::healthcheck
