// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "results/json/fields_json.hpp"
#include "results/values/measurement.hpp"
#include "results/values/report.hpp"
#include "results/values/summary.hpp"
#include "results/values/verdict.hpp"

// What reports and their summaries have in common.
namespace muster::results {

std::vector<std::string> read_texts(const Field& field);
std::string read_time(const Field& field);
Status read_status(const Field& field);
Labels read_labels(const Field& field);
std::string read_version(const Field& field);
Selection read_selection(const Field& field);
nlohmann::ordered_json written(const Selection& selection);
SummaryProblem read_problem(const Field& field);
nlohmann::ordered_json written(const SummaryProblem& problem);

}  // namespace muster::results
