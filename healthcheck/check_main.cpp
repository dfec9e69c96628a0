// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/runner.hpp"
#include "healthcheck/streams.hpp"

int main(int argc, char** argv) {
  using namespace muster::healthcheck;
  const auto check = make_check();
  return with_streams(executable_name(check->describe().name),
                      [&] { return run_check(*check, muster::benchmarks::make_ranks, argc, argv); });
}
