// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "results/values/report.hpp"
#include "results/values/summary.hpp"

namespace muster::results {

// Version 1 of the contract in report.schema.json: strict JSON, two-space indent, ends in a newline.
// Throws Error when a number is not finite.
std::string to_json(const Report& report);

// Accepts only what report.schema.json accepts. Throws Error that names the field, or the line of a syntax error.
Report report_from_json(std::string_view text);

// All throw Error naming the file.
Report read_report(const std::filesystem::path& file);
// Of a text that was read from it.
Report report_from_file(std::string_view text, const std::filesystem::path& file);
void write_report(const Report& report, const std::filesystem::path& file);  // atomic

// At most 4096 bytes of summary.schema.json: status, worst problems first, how many were left out, hash of the report.
// `report_text` is the JSON that was written to `report_file`.
std::string summary_json(const Report& report, const std::filesystem::path& report_file, std::string_view report_text);

// Accepts only what summary.schema.json accepts, so neither a text that was cut off nor one of another program. Throws
// Error.
ReportSummary summary_from_json(std::string_view text);

// Of a pod's termination message, of which the kubelet leaves out the end where a pod's containers say much: status,
// host, sentence and the problems that came whole. Throws Error where not so much came.
ReportSummary summary_from_message(std::string_view text);

}  // namespace muster::results
