// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "results/values/report.hpp"

namespace muster::healthcheck {

// Writes each picture of the report into the folder, which is made where there is none: NAME.svg, and where
// rsvg-convert is installed NAME.png. Pictures of the same names are replaced. Says what it wrote on stderr. Throws
// UsageError where the folder cannot be made, and results::Error where a file cannot be written.
void write_pictures(const results::Report& report, const std::filesystem::path& folder);

}  // namespace muster::healthcheck
