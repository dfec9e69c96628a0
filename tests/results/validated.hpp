// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace muster::tests {

// Whether a validator that is not ours accepts every JSON file of the folder by results/SCHEMA.schema.json.
bool is_valid(std::string_view schema, const std::filesystem::path& folder);

}  // namespace muster::tests
