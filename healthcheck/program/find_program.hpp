// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace muster::healthcheck {

// The executable of this name in one of the folders of PATH. Throws std::system_error with the advice ("install Open
// MPI") where there is none.
std::string find_program(const std::string& name, std::string_view advice);

// Whether there is one.
bool has_program(const std::string& name);

}  // namespace muster::healthcheck
