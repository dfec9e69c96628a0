// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "healthcheck/check/check.hpp"

namespace muster::healthcheck {

// One object, what a check's --describe prints.
std::string to_json(const Description& description);

// checks.json beside the binaries: an array of those objects, made by the build. Throws UsageError naming the file.
std::vector<Description> read_checks(const std::filesystem::path& file);

}  // namespace muster::healthcheck
