// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/nvml/gpu.hpp"
#include "healthcheck/check/context.hpp"

namespace muster::healthcheck {

// What NVML says of a GPU, as gpu_state.SUBJECT. What it does not have is listed in gpu_state.not_supported; what it
// has and does not say is gpu_state.unreadable, by field and in NVML's words. gpu_state.answer is "yes", or how it was
// lost.
void add_state(Context& context, const benchmarks::nvml::Gpu& gpu, results::Labels labels);

}  // namespace muster::healthcheck
