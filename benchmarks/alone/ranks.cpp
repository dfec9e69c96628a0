// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/ranks.hpp"

#include "benchmarks/ranks/alone.hpp"

namespace muster::benchmarks {

std::unique_ptr<Ranks> make_ranks() { return make_alone(); }

}  // namespace muster::benchmarks
