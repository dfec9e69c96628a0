// SPDX-License-Identifier: Apache-2.0
// What the counters and the links of ports say of the rates of ib_bandwidth; linked with its table of faults.
#include <gtest/gtest.h>

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
    }
  });
}

class IbBandwidthOnWire : public RdmaMachine {};
using IbBandwidthOnWireFaults = RdmaMachine;

TEST_F(IbBandwidthOnWire, WhatTheCountersSawIsOfTheWire) {
  const auto counting = wire(tree_, "sys/class/net/eth0/statistics/tx_bytes");
  const auto seen = run();
  EXPECT_EQ(of(seen, "ib_bandwidth.bandwidth").size(), 3U);
  for (const auto* fact : of(seen, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "wire");
}

TEST_F(IbBandwidthOnWireFaults, MoreThanTheLinkCarriesIsImpossible) {
  const auto counting = wire(tree_, "sys/class/net/eth0/statistics/tx_bytes");
  tree_.write("sys/class/infiniband/rxe0/ports/1/rate", "0.001 Gb/sec (1X SDR)\n");
  expect_fault(run(), Status::unknown, "measurement_impossible", {{"nic", "rxe0"}, {"operation", "write"}});
}

}  // namespace
}  // namespace muster::tests
