// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "benchmarks/ranks.hpp"

namespace muster::tests {

// Runs the body on so many ranks, which are threads of this process; it must not throw.
void as_ranks(std::size_t count, const std::function<void(benchmarks::Ranks&)>& body);

}  // namespace muster::tests
