// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "healthcheck/check/counter_growth.hpp"
#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"
#include "topology/evidence/evidence.hpp"

namespace muster::tests {

inline const std::string h100_profile = "nd96isr_h100_v5";
inline const Given preflight{.tier = results::Tier::preflight};
inline const std::filesystem::path port_of_ib3 = "sys/class/infiniband/mlx5_ib3/ports/1";
inline const results::Labels ib3 = {
    {"nic", "mlx5_ib3"}, {"port", "1"}, {"guid", "0015:5dff:fe33:ff03"}, {"pci", "0104:00:00.0"}};

// A healthy NDv5 node that was looked at an hour ago, to break in one place.
class IbLinkMachine : public testing::Test {
 protected:
  IbLinkMachine() {
    copy_machine("ndv5", tree_);
    const topology::Sysfs sysfs(tree_.path());
    healthcheck::write_reading({.boot_id = sysfs.text("proc/sys/kernel/random/boot_id").value_or(""),
                                .uptime_seconds = 1000,
                                .counters = topology::infiniband(sysfs)},
                               state_.path() / "ib_link.json");
    tree_.write("proc/uptime", "4600.00 9000.00\n");
  }

  void replace(const std::filesystem::path& relative, std::string_view text) {
    ASSERT_TRUE(std::filesystem::exists(tree_.path() / relative)) << relative;
    tree_.write(relative, std::string(text) + "\n");
  }
  void count(std::string_view counter, int value) { replace(port_of_ib3 / counter, std::to_string(value)); }
  results::CheckRun run(std::string_view profile = h100_profile) const {
    return checked(tree_.path(), profile, {.tier = results::Tier::preflight, .state = state_.path()});
  }

  static void expect_ib3_alone(const results::CheckRun& broken, results::Status status, const std::string& fault,
                               const results::Labels& component = ib3) {
    expect_fault(broken, status, fault, component);
    for (const auto& verdict : broken.verdicts) {
      const bool accuses = verdict.status != results::Status::pass && verdict.status != results::Status::skip;
      if (accuses) {
        EXPECT_EQ(verdict.labels.at("nic"), ib3.at("nic")) << verdict.fault;
      }
    }
  }

  TemporaryFolder tree_;
  TemporaryFolder state_;
};

}  // namespace muster::tests
