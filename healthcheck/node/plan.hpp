// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/check/check.hpp"
#include "results/values/report.hpp"
#include "topology/machine/machine_summary.hpp"

namespace muster::healthcheck {

// One child that `muster node` starts.
struct Task {
  Description check;
  results::Labels component;  // {"gpu", "3"} for a check that runs once for each GPU

  bool operator==(const Task&) const = default;
};

// The selected checks of this tier, one task for each component their scope names (and one without a component where
// there is none), cheap ones first.
std::vector<Task> plan(const std::vector<Description>& checks, const results::Selection& selection,
                       const topology::MachineSummary& machine);

// Throw UsageError for a name that is not known, with the option and the nearest one.
void expect_checks(std::string_view option, const std::vector<std::string>& names,
                   const std::vector<std::string>& known);
void validate(const results::Selection& selection, const std::vector<std::string>& known);

// Whether two checks may run at the same time.
bool side_by_side(const Description& one, const Description& other);

}  // namespace muster::healthcheck
