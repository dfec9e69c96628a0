// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <simdjson.h>

#include <vector>

#include "healthcheck/fleet/rates.hpp"

namespace muster::healthcheck::fleet {

// What the report of a node has that can be held against other nodes: rates and times that were sampled, by first looks
// of checks that finished. Throws simdjson_error where a field that it must have is missing.
std::vector<Rate> rates_of(const simdjson::dom::object& report, RateTexts& texts);

}  // namespace muster::healthcheck::fleet
