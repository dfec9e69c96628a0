// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace muster::healthcheck {

// The last line of a file that is not blank, printable and of at most 300 bytes; empty when there is none.
std::string last_line(const std::filesystem::path& file);

}  // namespace muster::healthcheck
