// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace muster::results {

// What muster writes and reads. One that is `cut` begins as each of them does and has no end.
enum class Document { other, report, summary, fleet_report, scratch_status, profile, comparison, cut };

// Which of them a file holds; `other` for a file of somebody else, or that cannot be read.
Document document_in(const std::filesystem::path& file);

// The same of a text.
Document document_of(std::string_view text);

// Throws Error, which says what the file is, where its text is another document of muster than is wanted; any other
// text may pass.
void expect_document(std::string_view text, Document wanted, const std::filesystem::path& file);

}  // namespace muster::results
