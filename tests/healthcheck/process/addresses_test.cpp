// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/addresses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace muster::healthcheck {
namespace {

TEST(LiesIn, ComparesTheFirstBitsOfAnAddress) {
  EXPECT_TRUE(lies_in("10.77.0.1", "10.0.0.0/8"));
  EXPECT_TRUE(lies_in("10.77.0.1", "10.77.0.1/32"));
  EXPECT_TRUE(lies_in("10.77.0.1", "0.0.0.0/0"));
  EXPECT_TRUE(lies_in("10.77.0.6", "10.77.0.4/30"));
  EXPECT_FALSE(lies_in("10.77.0.8", "10.77.0.4/30"));
  EXPECT_FALSE(lies_in("10.77.0.1", "10.77.0.2/32"));
  EXPECT_TRUE(lies_in("fd77::1", "fd77::/16"));
  EXPECT_FALSE(lies_in("fd78::1", "fd77::/16"));
  EXPECT_FALSE(lies_in("10.77.0.1", "fd77::/16"));
}

TEST(LiesIn, IsFalseForWhatIsNotANetwork) {
  for (const char* network : {"", "eth0", "10.77.0.1", "10.77.0.0/", "10.77.0.0/33", "10.77.0.0/-1", "10.77.0/16",
                              "10.77.0.0/8x", "fd77::/129"})
    EXPECT_FALSE(lies_in("10.77.0.1", network)) << network;
  EXPECT_FALSE(lies_in("eth0", "10.0.0.0/8"));
}

TEST(OwnAddresses, HoldLoopback) {
  const auto own = own_addresses();
  const auto loopback = std::ranges::find(own, "127.0.0.1", &OwnAddress::address);
  ASSERT_NE(loopback, own.end());
  EXPECT_TRUE(loopback->is_loopback);
  EXPECT_EQ(loopback->network, "127.0.0.1/8");
  EXPECT_TRUE(is_own(own, "127.0.0.1"));
  EXPECT_FALSE(is_own(own, "192.0.2.1"));
}

TEST(NetworkOfNeighbours, HoldsThemAll) {
  const std::vector<OwnAddress> own{
      {.interface = "lo", .address = "127.0.0.1", .is_loopback = true, .network = "127.0.0.1/8"},
      {.interface = "eth0", .address = "192.0.2.9", .network = "192.0.2.9/28"},
      {.interface = "eth1", .address = "fd77::1", .network = "fd77::1/64"}};
  const auto network = [&](const std::string& address, const std::vector<std::string>& others) {
    return network_of_neighbours(own, address, others);
  };
  EXPECT_EQ(network("192.0.2.9", {"192.0.2.1", "192.0.2.15"}), "192.0.2.9/28");
  EXPECT_EQ(network("192.0.2.9", {"192.0.2.1", "192.0.2.16"}), std::nullopt) << "behind a router";
  EXPECT_EQ(network("192.0.2.9", {"192.0.2.1", "n1"}), std::nullopt);
  EXPECT_EQ(network("fd77::1", {"fd77::2"}), std::nullopt) << "Open MPI 4 takes no networks of IPv6";
  EXPECT_EQ(network("127.0.0.1", {"127.0.0.2"}), std::nullopt);
  EXPECT_EQ(network("", {}), std::nullopt);
}

TEST(SourceTowards, IsTheAddressOfTheRoute) {
  EXPECT_EQ(source_towards("127.0.0.9"), "127.0.0.1");
  EXPECT_EQ(source_towards("gpu-1"), std::nullopt);
}

TEST(OnlySourceTowards, IsTheAddressThatAllRoutesShare) {
  const auto only = [](const std::vector<std::string>& addresses) { return only_source_towards(addresses); };
  EXPECT_EQ(only({"127.0.0.1", "127.0.0.9"}), "127.0.0.1");
  EXPECT_EQ(only({"127.0.0.1", "::1"}), "");
  EXPECT_EQ(only({"127.0.0.1", "gpu-1"}), "");
  EXPECT_EQ(only({}), "");
}

}  // namespace
}  // namespace muster::healthcheck
