// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "results/fields_json.hpp"
#include "results/measurement.hpp"
#include "results/summary.hpp"
#include "results/verdict.hpp"

// What reports and their summaries have in common.
namespace muster::results {

// Throws Error that names the line of a syntax error.
nlohmann::json parsed(std::string_view text);

std::string read_time(const Field& field);
Status read_status(const Field& field);
Labels read_labels(const Field& field);
std::string read_version(const Field& field);
SummaryProblem read_problem(const Field& field);
nlohmann::ordered_json written(const SummaryProblem& problem);

}  // namespace muster::results
