// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "healthcheck/start/launcher_causes.hpp"
#include "healthcheck/start/launcher_failure.hpp"
#include "healthcheck/start/launcher_text.hpp"

namespace muster::healthcheck {

struct Culprits {
  std::vector<std::string> hosts;  // in the job's spelling where it has them, else in the launcher's
  std::string seen_on;             // where a trouble was seen first that others may share; empty where hosts are named
};

// Whose trouble one of the passages tells. A name is taken from nowhere but where such a cause has its host.
Culprits culprits_of(const std::vector<Passage>& said, const Passage& told, Blame blame, const LaunchedJob& job);

}  // namespace muster::healthcheck
