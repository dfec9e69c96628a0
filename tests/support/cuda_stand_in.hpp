// SPDX-License-Identifier: Apache-2.0
#pragma once

// What cuda_on_host.cpp and cuda_in_memory.cpp have alike: events, memory of the host, and gates that are always open.

struct CUevent_st {   // NOLINT(readability-identifier-naming): CUDA's name
  double passed = 0;  // in seconds
};
