// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/expectations/profile.hpp"
#include "results/json/fields_json.hpp"

namespace muster::healthcheck {

// One entry of the lists `expectations` and `evidence` of a profile; both throw results::Error naming the field.
Expectation read_check_expectation(const results::Field& field);
Expectation read_evidence_expectation(const results::Field& field);

}  // namespace muster::healthcheck
