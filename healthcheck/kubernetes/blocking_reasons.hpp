// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "healthcheck/kubernetes/decide.hpp"
#include "results/values/summary.hpp"

// Phrases about the parts of a job.
namespace muster::healthcheck::fleet {

// Null when there is none.
const Pod* newest_launcher(const JobState& state);

// "OOMKilled, exit code 137"
std::string how_it_ended(const Ended& end);
std::string how_it_ended(const Pod& pod);

// "says pass and then ended badly: OOMKilled, exit code 137": it exits by its own summary, and came to harm after it
// wrote that. Empty where it did not.
std::string harm_after(const results::ReportSummary& summary, const Ended& end);

// What keeps a pod from its end; empty when nothing is known.
std::string blocking_reason(const Pod& pod);

// "the Volcano job a is Pending"
std::string described(const Job& job);

// "there is no job a in namespace b"
std::string absent(const std::string& job, const std::string& name_space, bool was_seen);

// Workers that failed; empty when none did.
std::string failures(const JobState& state);

// "; text", or nothing.
std::string after_semicolon(const std::string& text);

}  // namespace muster::healthcheck::fleet
