// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/judge.hpp"

namespace muster::healthcheck {

// Stands in for the judge when the tables of faults are tested: it passes always, so they must turn red.
results::Report judge(results::Report facts, const Profile&, const Faults&) {
  for (auto& run : facts.checks) run.status = results::Status::pass;
  facts.status = results::Status::pass;
  return facts;
}

}  // namespace muster::healthcheck
