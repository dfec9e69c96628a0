// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/context.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace muster::healthcheck {
namespace {

TEST(Context, RefusesANumberThatNoReportCanHold) {
  results::CheckRun run;
  Context context({.sysfs = topology::Sysfs()}, run, [](const results::CheckRun&) {});
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(context.add("fan.speed", results::Quantity{value}), std::domain_error);
    EXPECT_THROW(context.add({{.metric = "fan.speed", .value = results::Quantity{value}}}), std::domain_error);
  }
  EXPECT_TRUE(run.measurements.empty());
  context.add("fan.speed", results::Quantity{1});
  EXPECT_EQ(run.measurements.size(), 1U);
}

}  // namespace
}  // namespace muster::healthcheck
