// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "results/strings/table.hpp"
#include "results/values/report.hpp"

namespace muster::results {

// Whether it is a speed, a time, a temperature or a power that is told of without being asked for.
bool is_headline(const Measurement& measurement);

// Speeds, times, temperatures and powers of a check: a row has what was measured (labels) and all that is known of it,
// each with what was expected where it was judged. Of siblings, such as the GPUs of a machine, the least and the
// greatest are told, and of times with percentiles the 99th.
std::vector<Row> headline_numbers(const CheckRun& run);

// Every value: metric without the check's name, labels, value and what was expected.
std::vector<Row> all_numbers(const CheckRun& run);

// Those of one metric, such as "disk_io.rate".
std::vector<Row> numbers_of(const CheckRun& run, std::string_view metric);

// Whether speeds were measured by any check, and none of them was judged.
bool judges_no_speed(const Report& report);

}  // namespace muster::results
