// SPDX-License-Identifier: Apache-2.0
#include "results/values/measurement.hpp"

#include <gtest/gtest.h>

namespace muster::results {
namespace {

TEST(MetricName, IsTheCheckAndTheSubject) {
  EXPECT_EQ(metric_name("cpu", "threads"), "cpu.threads");
  EXPECT_EQ(check_of("inventory.host.boot_id"), "inventory");
  EXPECT_EQ(subject_of("inventory.host.boot_id"), "host.boot_id");
}

TEST(MetricName, WithoutAPointIsACheckAlone) {
  EXPECT_EQ(check_of("cpu"), "cpu");
  EXPECT_EQ(subject_of("cpu"), "");
}

}  // namespace
}  // namespace muster::results
