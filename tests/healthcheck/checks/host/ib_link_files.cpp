// SPDX-License-Identifier: Apache-2.0
// What ib_link says of files that are absent, damaged or cut.
#include <gtest/gtest.h>

#include <filesystem>

#include "results/system/file.hpp"
#include "tests/healthcheck/checks/host/ib_link_machine.hpp"

namespace muster::tests {
namespace {

namespace fs = std::filesystem;
using results::Status;

using IbLinkFileFaults = IbLinkMachine;

// What is no fault, and so does not turn red with a judge that always passes.
class IbLinkFiles : public IbLinkMachine {};

TEST_F(IbLinkFileFaults, AStateThatCannotBeRead) {
  for (const auto* profile : {"generic", "nd96isr_h100_v5"}) {
    const auto file = tree_.path() / port_of_ib3 / "state";
    fs::remove_all(file);
    fs::create_directory(file);  // which is opened and not read
    const results::Labels owner = {{"nic", "mlx5_ib3"}, {"port", "1"}, {"path", port_of_ib3.string() + "/state"}};
    expect_ib3_alone(run(profile), Status::unknown, "kernel_file_unreadable", owner);
  }
}

TEST_F(IbLinkFileFaults, AFileThatIsGoneIsNoPass) {
  ASSERT_TRUE(fs::remove(tree_.path() / port_of_ib3 / "rate"));
  expect_fault(run(), Status::fail, "not_measured", {});
}

TEST_F(IbLinkFileFaults, GarbageCostsOnlyTheFactsThatNeedIt) {
  replace(port_of_ib3 / "rate", "four hundred");
  replace(port_of_ib3 / "state", "1: DOWN");
  const auto broken = run();
  expect_fault(broken, Status::unknown, "kernel_file_unreadable",
               {{"nic", "mlx5_ib3"}, {"port", "1"}, {"path", "sys/class/infiniband/mlx5_ib3/ports/1/rate"}});
  expect_fault(broken, Status::fail, "ib_port_down", ib3);
}

// As Linux wrote it once where a driver has no such counters.
TEST_F(IbLinkFiles, CountersThatADriverHasNotAreAbsent) {
  const auto port = fs::path("sys/class/infiniband/bnxt_re0/ports/1");
  for (const auto& [file, text] : {std::pair("link_layer", "Ethernet"),
                                   {"state", "4: ACTIVE"},
                                   {"phys_state", "5: LinkUp"},
                                   {"rate", "100 Gb/sec (4X EDR)"},
                                   {"lid", "0x0"},
                                   {"sm_lid", "0x0"}})
    tree_.write(port / file, std::string(text) + "\n");
  for (const auto& file : fs::directory_iterator(tree_.path() / port_of_ib3 / "counters"))
    tree_.write(port / "counters" / file.path().filename(), "N/A (no PMA)\n");
  expect_healthy(run());
  replace("sys/class/infiniband/mlx5_ib3/ports/1/state", "1: DOWN");
  expect_fault(run(), Status::fail, "ib_port_down", ib3);
}

TEST_F(IbLinkFileFaults, ACounterThatIsNoNumberCostsItselfAlone) {
  replace(port_of_ib3 / "counters/port_rcv_errors", "garbage");
  const auto broken = run();
  expect_fault(broken, Status::unknown, "kernel_file_unreadable", {{"nic", "mlx5_ib3"}, {"port", "1"}});
  std::size_t counted = 0;
  for (const auto& fact : broken.measurements) counted += fact.metric == "ib_link.symbol_error" ? 1 : 0;
  EXPECT_EQ(counted, 9U) << "those of all ports";
}

TEST_F(IbLinkFileFaults, ACounterThatOnePortLacksIsNamed) {
  ASSERT_TRUE(fs::remove(tree_.path() / port_of_ib3 / "counters/port_rcv_errors"));
  for (const auto* profile : {"generic", "nd96isr_h100_v5"})
    expect_fault(run(profile), Status::warn, "sibling_differs", {{"nic", "mlx5_ib3"}, {"port", "1"}});
}

TEST_F(IbLinkFiles, AReadingThatWasCutIsSaidAndBegunAnew) {
  results::write_atomically(state_.path() / "ib_link.json", "");
  expect_fault(run(), Status::warn, "state_unusable", {});
  expect_healthy(run());
}

}  // namespace
}  // namespace muster::tests
