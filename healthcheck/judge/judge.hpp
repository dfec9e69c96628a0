// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/expectations/profile.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// The one pure function that knows what "good" is: the same facts with the verdicts, statuses and summary that this
// profile gives them. Verdicts already in the report are dropped, so that an old report can be judged again.
// A check that the profile expects and the report lacks is added after the others: as not_built, or as skipped, "not
// selected". A check of which nothing is expected is skip: its numbers are facts. See missing.hpp, statuses.hpp.
results::Report judge(results::Report facts, const Profile& profile, const Faults& faults);

// The checks that must run once more, as attempt 2, before a `peers` verdict about these facts can be a failure.
std::vector<std::string> checks_to_confirm(const results::Report& facts, const Profile& profile, const Faults& faults);

}  // namespace muster::healthcheck
