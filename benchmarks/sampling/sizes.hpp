// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace muster::benchmarks {

// From the least to the greatest, each `factor` times the one before. Throws Error when there is none, or the factor is
// below 2.
std::vector<std::size_t> sizes(std::size_t least, std::size_t greatest, std::size_t factor);

// "1 GiB", "64 KiB", "1000 B": exact, in the largest unit that is.
std::string size_text(std::size_t bytes);

}  // namespace muster::benchmarks
