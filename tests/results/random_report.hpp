// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

#include "results/values/report.hpp"

namespace muster::tests {

struct RandomReport {
  std::size_t most = 4;       // items of any list
  std::size_t max_text = 24;  // characters of any text
  bool broken_text = false;   // bytes that are not UTF-8, too
  std::string host{};         // the only one; any number of hosts where it is empty
};

// Any report that can be written; equal generators give equal reports.
results::Report random_report(std::mt19937_64& random, const RandomReport& shape);

}  // namespace muster::tests
