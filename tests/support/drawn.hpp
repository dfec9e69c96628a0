// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace muster::tests {

// So many of these, drawn anew each time; all of them where the environment has MUSTER_WHOLE.
std::vector<std::string> drawn(std::size_t count, const std::vector<std::string>& all);

}  // namespace muster::tests
