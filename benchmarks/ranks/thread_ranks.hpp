// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "benchmarks/ranks/ranks.hpp"

namespace muster::benchmarks {

// Runs the body on so many ranks, which are threads of this process. What one of them throws first, all throw where
// they wait for others or listen to them, and this does. Throws std::system_error when the system refuses a thread.
void as_ranks(std::size_t count, const std::function<void(Ranks&)>& body);

}  // namespace muster::benchmarks
