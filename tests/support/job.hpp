// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/values/report.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {

// A job of the check that is linked into this test, as mpirun starts it on this machine.
struct Job {
  int ranks = 4;
  std::vector<std::string> arguments = {};
  std::string fault = {};  // of tests/support/mpi_faults.cpp, or of what the program has instead
  int faulty_rank = 0;
  bool loses_ranks = false;         // and the others still tell of it, for which mpirun leaves them a second
  std::string profile = "generic";  // a shipped one, or a file
  std::vector<std::string> environment = {};
  std::filesystem::path folder = bin_folder();  // of the program
};

// Runs it, and judges its report again here.
results::CheckRun checked(const Job& job);

}  // namespace muster::tests
