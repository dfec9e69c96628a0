// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace muster::healthcheck {

// " Did you mean 'host_memory'?" for the nearest of the known words, empty when none is near.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace muster::healthcheck
