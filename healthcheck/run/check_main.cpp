// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/ranks.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/run/runner.hpp"

int main(int argc, char** argv) {
  using namespace muster::healthcheck;
  const auto check = make_check();
  return with_streams(executable_name(check->describe().name),
                      [&] { return run_check(*check, muster::benchmarks::make_ranks, argc, argv); });
}
