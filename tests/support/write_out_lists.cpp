// SPDX-License-Identifier: Apache-2.0
// Writes lists of hosts out, of which each is a line of stdin: a line of names, or "refused: " and why.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <string>

#include "healthcheck/program/error.hpp"
#include "healthcheck/start/host_ranges.hpp"

int main() {
  for (std::string list; std::getline(std::cin, list);) {
    try {
      fmt::print("{}\n", fmt::join(muster::healthcheck::expanded(list, "stdin"), " "));
    } catch (const muster::healthcheck::UsageError& error) {
      fmt::print("refused: {}\n", error.what());
    }
  }
}
