// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <string_view>

namespace muster::benchmarks::cuda {

// What is called of the driver itself, which only machines with a GPU have.
struct Driver {
  decltype(&cuGetErrorString) error_string;
  decltype(&cuPointerSetAttribute) pointer_set_attribute;
  decltype(&cuMemGetHandleForAddressRange) memory_file;  // since CUDA 11.7
};

// Throws Error where it is not there, or too old.
const Driver& driver();

// Throws Error with the driver's own words when a call did not succeed.
void require_driver(CUresult result, std::string_view call);

}  // namespace muster::benchmarks::cuda
