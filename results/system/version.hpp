// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace muster::results {

// Of this build, "0.1.0".
std::string_view version();

}  // namespace muster::results
