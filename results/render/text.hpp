// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "results/values/report.hpp"

namespace muster::results {

enum class Colour { never, always };

struct Catalogue;

// How somebody looks at a report.
struct View {
  Colour colour = Colour::never;
  std::size_t columns = 132;             // of the terminal
  bool all = false;                      // every value that was measured
  std::vector<std::string> metrics;      // only the values of these, where some are named
  bool redact = false;                   // without names, serial numbers and addresses: rendered() takes them out
  const Catalogue* catalogue = nullptr;  // what metrics and faults mean, where that is known
};

// The report as a table for people: problems first, worst first, one line each with the component and what to do,
// then each check with its speeds, times, temperatures and powers, then the summary.
std::string to_text(const Report& report, const View& view);

// "UNKNOWN"
std::string capitals(std::string_view status);

// One aligned line for a finished check, as `muster node` prints it while it goes.
std::string progress_line(const CheckRun& run, Colour colour);

}  // namespace muster::results
