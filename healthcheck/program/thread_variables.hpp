// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace muster::healthcheck {

// What numerical libraries are told of threads by: OpenMP, Intel MKL and NumExpr.
inline constexpr std::array thread_variables = {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"};

}  // namespace muster::healthcheck
