// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "benchmarks/ranks/ranks.hpp"

namespace muster::benchmarks {

// A job of this process alone.
std::unique_ptr<Ranks> make_alone();

}  // namespace muster::benchmarks
