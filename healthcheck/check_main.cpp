// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/runner.hpp"

int main(int argc, char** argv) {
  const auto check = muster::healthcheck::make_check();
  return muster::healthcheck::run_check(*check, muster::benchmarks::make_ranks, argc, argv);
}
