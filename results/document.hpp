// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace muster::results {

// What muster writes for others to read.
enum class Document { other, report, summary, fleet_report, scratch_status };

// Which of them a file holds; `other` for a file of somebody else, or that cannot be read.
Document document_in(const std::filesystem::path& file);

}  // namespace muster::results
