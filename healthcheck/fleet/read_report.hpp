// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "healthcheck/fleet/read_facts.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::fleet {

// A report that is as muster writes it and does not contradict itself, without its facts and with the verdicts that
// are worse than pass, or one that gives the status of a run without such; and its rates. Nothing where it is
// otherwise; the strict reader then says whether it is a report, and why not.
std::optional<results::Report> quickly_read(const element& whole, Facts& facts, RateReader& rates);

}  // namespace muster::healthcheck::fleet
