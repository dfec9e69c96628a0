// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "benchmarks/ranks.hpp"

namespace muster::benchmarks {

// Runs the body on so many ranks, which are threads of this process; it must not throw.
void as_ranks(std::size_t count, const std::function<void(Ranks&)>& body);

}  // namespace muster::benchmarks
