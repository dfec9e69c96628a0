// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "results/values/report.hpp"

namespace muster::results {

// Something that needs a person's attention.
struct Problem {
  std::string check;
  std::string host;
  Verdict verdict;             // where there are several, the first of them
  std::vector<Verdict> alike;  // all of them; empty where there is one
};

// All warn, unknown and fail verdicts of a report, worst first. Verdicts of one check that nothing measured for the
// same reason are one problem. A check that ended badly without any such verdict is one too.
std::vector<Problem> problems(const Report& report);

// Those of a host that differ in nothing but their labels as one, for people: a drive that does not answer is a problem
// of its own, and eight that do not, for one reason, are told of once.
std::vector<Problem> together(const std::vector<Problem>& problems);

// How many verdicts it stands for.
std::size_t count(const Problem& problem);

// "timed out: no answer in 30 s": how a run ended, for people.
std::string ending(const CheckRun& run);

}  // namespace muster::results
