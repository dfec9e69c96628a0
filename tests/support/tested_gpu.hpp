// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

// The GPU of tests/gpu: a real one, or that of cuda_in_memory.cpp.
namespace muster::tests {

// The PCI address of the first; empty where there is none.
std::string first_gpu();

// Has a kernel change a word behind the back of whoever tests the memory. Done when it returns.
void flip_on_device(std::uint64_t* word, std::uint64_t bits);

}  // namespace muster::tests
