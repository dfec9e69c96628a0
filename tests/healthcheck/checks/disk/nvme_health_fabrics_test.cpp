// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using results::Status;

// A machine without drives of its own, and two that it reaches over a network.
class NvmeFabrics : public testing::Test {
 protected:
  NvmeFabrics() {
    tree_.write("proc/uptime", "100.00 100.00\n");
    add("nvme1", "tcp", "192.0.2.9");
    add("nvme2", "rdma", "192.0.2.10");
  }
  void add(const std::string& name, const std::string& transport, const std::string& address) {
    const auto folder = "sys/class/nvme/" + name;
    tree_.write(folder + "/transport", transport + "\n");
    tree_.write(folder + "/address", "traddr=" + address + ",trsvcid=4420\n");
    tree_.write(folder + "/state", "live\n");
  }
  results::CheckRun run() { return checked(tree_.path(), "generic", {.tier = results::Tier::preflight}); }

  TemporaryFolder tree_;
};

TEST_F(NvmeFabrics, ThatAreConnectedAreGreen) { expect_healthy(run()); }

TEST_F(NvmeFabrics, ThatAreNotAreNamedWithTheirAddress) {
  for (const auto* state : {"connecting", "resetting", "deleting", "deleting (no IO)", "dead", "new"}) {
    tree_.write("sys/class/nvme/nvme1/state", std::string(state) + "\n");
    expect_fault(run(), Status::fail, "nvme_not_live",
                 {{"drive", "nvme1"}, {"transport", "tcp"}, {"address", "traddr=192.0.2.9,trsvcid=4420"}});
  }
}

}  // namespace
}  // namespace muster::tests
