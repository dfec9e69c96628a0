// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks.hpp"

#include "benchmarks/alone.hpp"

namespace muster::benchmarks {

std::unique_ptr<Ranks> make_ranks() { return make_alone(); }

}  // namespace muster::benchmarks
