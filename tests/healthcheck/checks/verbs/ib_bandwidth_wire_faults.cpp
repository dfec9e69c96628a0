// SPDX-License-Identifier: Apache-2.0
// What the counters and the links of ports say of the rates of ib_bandwidth; linked with its table of faults.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/rdma.hpp"

namespace muster::tests {
namespace {

using results::Status;

// This counter sees whatever is sent.
std::jthread wire(const TemporaryFolder& tree, const std::string& counter) {
  tree.write(counter, "0\n");
  return std::jthread([&tree, counter](const std::stop_token& stop) {
    for (std::int64_t count = 0; !stop.stop_requested(); count += std::int64_t{1} << 40) {
      tree.write(counter + ".next", std::to_string(count) + "\n");
      std::filesystem::rename(tree.path() / (counter + ".next"), tree.path() / counter);
      std::this_thread::sleep_for(std::chrono::microseconds(100));  // leaves this CPU to what is measured
    }
  });
}

// The device becomes an adapter on the PCI bus with a link of this rate; its counter, which stands still, is returned.
std::string adapter(const TemporaryFolder& tree, const std::string& nic, const std::string& rate) {
  const auto folder = "sys/class/infiniband/" + nic;
  auto counter = folder + "/ports/1/counters/port_xmit_data";
  std::filesystem::create_symlink("../../../0000:01:00.0", tree.path() / folder / "device");
  tree.write(folder + "/ports/1/rate", rate + "\n");
  tree.write(counter, "0\n");
  return counter;
}

std::jthread adapter_on_wire(const TemporaryFolder& tree, const std::string& nic, const std::string& rate) {
  return wire(tree, adapter(tree, nic, rate));
}

constexpr auto slow = "0.001 Gb/sec (1X SDR)";
constexpr auto fast = "400 Gb/sec (4X NDR)";

void expect_slower_link_is_limit(const results::CheckRun& run) {
  const auto rates = of(run, "ib_bandwidth.bandwidth");
  EXPECT_EQ(rates.size(), 6U);
  for (const auto* fact : rates) {
    ASSERT_TRUE(fact->limit) << results::to_text(fact->labels);
    EXPECT_EQ(fact->limit->value.value, 1e6) << results::to_text(fact->labels);
    EXPECT_EQ(fact->limit->source, "the slower link of its path");
  }
}

class IbBandwidthOnWire : public RdmaMachine {};
class IbBandwidthOnWireOfPorts : public RdmaPorts {
 protected:
  IbBandwidthOnWireOfPorts() : RdmaPorts(2) {}
};
using IbBandwidthOnWireFaults = RdmaMachine;
using IbBandwidthOnWireOfPortsFaults = IbBandwidthOnWireOfPorts;
using IbBandwidthOnWireBetweenFaults = RdmaMachines;
using IbBandwidthOnWireBetween = RdmaMachines;

TEST_F(IbBandwidthOnWireOfPorts, WhatTheCountersSawIsOfTheWire) {
  const auto seen = run();
  expect_healthy(seen);
  EXPECT_EQ(of(seen, "ib_bandwidth.bandwidth").size(), 6U);
  for (const auto* fact : of(seen, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "wire");
}

TEST_F(IbBandwidthOnWireOfPortsFaults, WhatNoCounterSawIsUnknown) {
  count_no_more();
  const auto unseen = run({"--operation", "write"});
  for (const auto* nic : {"rxe0", "rxe1"}) expect_fault(unseen, Status::unknown, "rdma_path_unseen", {{"nic", nic}});
  for (const auto* fact : of(unseen, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "loop-back");
}

TEST_F(IbBandwidthOnWireBetween, TheRateOfASoftwareDeviceIsMadeUpAndNoLimit) {
  for (const std::size_t host : {0U, 1U})
    trees_.at(host).write(fmt::format("sys/class/infiniband/rxe{}/ports/1/rate", host), std::string(slow) + "\n");
  expect_healthy(run(2));
}

TEST_F(IbBandwidthOnWireBetweenFaults, MoreThanTheLinkCarriesIsImpossible) {
  const auto one = adapter_on_wire(trees_[0], "rxe0", slow);
  const auto other = adapter_on_wire(trees_[1], "rxe1", slow);
  expect_fault(run(2), Status::unknown, "measurement_impossible", {{"nic", "rxe0"}, {"operation", "write"}});
}

TEST_F(IbBandwidthOnWire, InLoopBackNoLinkLimitsIt) {
  const auto counting = adapter_on_wire(tree_, "rxe0", slow);
  expect_healthy(run());
}

TEST_F(IbBandwidthOnWireBetween, ARateThatIsNoneLimitsNothing) {
  const auto one = adapter_on_wire(trees_[0], "rxe0", "four hundred");
  const auto other = adapter_on_wire(trees_[1], "rxe1", "four hundred");
  const auto healthy = run(2);
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 6U);
  for (const auto* fact : of(healthy, "ib_bandwidth.bandwidth")) EXPECT_FALSE(fact->limit);
}

TEST_F(IbBandwidthOnWireOfPorts, TheSlowerLinkOfAPathIsItsLimit) {
  const auto one = adapter_on_wire(tree_, "rxe0", fast);
  const auto other = adapter_on_wire(tree_, "rxe1", slow);
  expect_slower_link_is_limit(run());
}

TEST_F(IbBandwidthOnWireBetween, TheSlowerLinkOfAPathIsItsLimit) {
  const auto one = adapter_on_wire(trees_[0], "rxe0", fast);
  const auto other = adapter_on_wire(trees_[1], "rxe1", slow);
  expect_slower_link_is_limit(run(2));
}

TEST_F(IbBandwidthOnWireFaults, ALoopBackMeetsNoExpectationOfTheWire) {
  const TemporaryFolder folder;
  const auto wire = profile_of_rates(
      folder, {R"("metric": "ib_bandwidth.bandwidth", "labels": { "path": "wire" }, "pass": 1, "fail": 1)"});
  expect_fault(checked(tree_.path(), wire, {.options = few_samples({"--operation", "write"})}), Status::fail,
               "not_measured", {{"path", "wire"}});
}

TEST_F(IbBandwidthOnWireFaults, OfTheAdaptersAndOperationsThatWereChosenNoMoreIsWanted) {
  const TemporaryFolder folder;
  const auto eight = profile_of_rates(
      folder,
      {R"("metric": "ib_bandwidth.bandwidth", "labels": { "operation": "write" }, "count": 8, "pass": 2, "fail": 1)"});
  expect_fault(checked(tree_.path(), eight, {.options = few_samples({"--operation", "write"})}), Status::fail,
               "not_measured", {{"operation", "write"}});
  expect_healthy(checked(tree_.path(), eight, {.options = few_samples({"--nic", "rxe0"})}));
  expect_healthy(checked(tree_.path(), eight, {.options = few_samples({"--operation", "read"})}));
}

}  // namespace
}  // namespace muster::tests
