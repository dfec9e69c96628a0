// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::topology {

// "0-2,8" -> 0, 1, 2, 8. Throws Error quoting the text when it is not a kernel CPU list; empty text is no CPUs.
std::vector<int> cpu_list(std::string_view text);

// 0, 1, 2, 8 -> "0-2,8", for numbers in rising order.
std::string to_text(std::span<const int> cpus);

}  // namespace muster::topology
