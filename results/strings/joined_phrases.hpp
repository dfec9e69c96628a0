// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace muster::results {

// The first phrases, and how many there are besides: "h1 died, h2 died, and 3 more".
std::string joined_phrases(std::vector<std::string> phrases, std::size_t most, std::string_view separator);

}  // namespace muster::results
