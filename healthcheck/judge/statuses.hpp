// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/expectations/profile.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// The report with the statuses and the summary that its verdicts give. A run's status is its worst verdict. A run
// without any verdict is skip and says why as its information: the profile's reason, or that it expects nothing of
// this check; its numbers are facts. The report's status is its worst run, and unknown when there is no verdict at all.
results::Report with_statuses(results::Report report, const Profile& profile);

}  // namespace muster::healthcheck
