// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/job_network.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace muster::healthcheck {
namespace {

using Names = std::vector<std::string>;

// A host of 10.0.0.4 with two NICs, a bridge of containers, and lo.
const std::vector<OwnAddress> of_host{{.interface = "lo", .address = "127.0.0.1", .is_loopback = true},
                                      {.interface = "lo", .address = "::1", .is_loopback = true},
                                      {.interface = "ens3", .address = "10.0.0.4"},
                                      {.interface = "ib0", .address = "10.4.0.4"},
                                      {.interface = "docker0", .address = "172.17.0.1"},
                                      {.interface = "ens3", .address = "fd00::4"}};

JobNetwork by_routes(const Names& hosts, std::map<std::string, std::string> routes) {
  return network_by_routes({.port = "22", .hosts = hosts}, of_host, [&](const std::string& host) {
    const auto source = routes.find(host);
    return source == routes.end() ? std::nullopt : std::optional(source->second);
  });
}

TEST(JobAddresses, AreAPortAndTheHosts) {
  const auto job = read_job_addresses("2222 10.0.0.4 fd00::5");
  EXPECT_EQ(job.port, "2222");
  EXPECT_EQ(job.hosts, (Names{"10.0.0.4", "fd00::5"}));
}

TEST(NetworkByRoutes, IsTheInterfaceThatRoutesToTheOthersUse) {
  const auto network = by_routes({"10.0.0.4", "10.0.0.5"}, {{"10.0.0.5", "10.0.0.4"}});
  EXPECT_EQ(network.interfaces, Names{"ens3"});
  EXPECT_EQ(network.addresses, Names{"10.0.0.4"});
  EXPECT_EQ(network.families, Names{"4"});
  EXPECT_EQ(network.used, "ens3 (10.0.0.4)");
  EXPECT_EQ(network.words,
            "ens3 (10.0.0.4), which routes to the other hosts use; not ib0 (10.4.0.4), docker0 (172.17.0.1)");
}

TEST(NetworkByRoutes, AsksForNoRouteToThisHostItself) {
  const auto network = by_routes({"10.0.0.4", "10.4.0.5"}, {{"10.0.0.4", "127.0.0.1"}, {"10.4.0.5", "10.4.0.4"}});
  EXPECT_EQ(network.interfaces, Names{"ib0"});
}

TEST(NetworkByRoutes, TakesABridgeThatRoutesUse) {
  EXPECT_EQ(by_routes({"172.17.0.9"}, {{"172.17.0.9", "172.17.0.1"}}).interfaces, Names{"docker0"});
}

TEST(NetworkByRoutes, MayBeSeveralInterfacesAndBothFamilies) {
  const auto network = by_routes({"10.0.0.5", "10.4.0.6", "fd00::7"},
                                 {{"10.0.0.5", "10.0.0.4"}, {"10.4.0.6", "10.4.0.4"}, {"fd00::7", "fd00::4"}});
  EXPECT_EQ(network.interfaces, (Names{"ens3", "ib0"}));
  EXPECT_EQ(network.families, (Names{"4", "6"}));
}

TEST(NetworkByRoutes, IsUnknownWithoutARoute) {
  const auto network = by_routes({"10.0.0.4", "10.9.0.5"}, {});
  EXPECT_EQ(network.interfaces, Names{});
  EXPECT_EQ(network.words, "");
}

TEST(NetworkByRequest, IsOfNamesAndOfNetworks) {
  const auto by = [](const Names& wanted) { return network_by_request(wanted, of_host).interfaces; };
  EXPECT_EQ(by({"ib0"}), Names{"ib0"});
  EXPECT_EQ(by({"10.0.0.0/8"}), (Names{"ens3", "ib0"}));
  EXPECT_EQ(by({"10.4.0.0/16", "docker0"}), (Names{"ib0", "docker0"}));
  EXPECT_EQ(by({"fd00::/16"}), Names{"ens3"});
  EXPECT_EQ(by({"eth0", "192.168.0.0/16", "ib", "10.0.0.4"}), Names{});
}

TEST(NextHost, IsTheOneBehindThisInTheRing) {
  const auto next = [](const Names& hosts) { return next_host({.port = "22", .hosts = hosts}, of_host); };
  EXPECT_EQ(next({"10.0.0.3", "10.0.0.4", "10.0.0.5"}), "10.0.0.5");
  EXPECT_EQ(next({"10.0.0.3", "10.0.0.5", "10.0.0.4"}), "10.0.0.3");
  EXPECT_EQ(next({"10.0.0.4", "10.4.0.4", "10.0.0.6"}), "10.0.0.6") << "behind another address of this host";
  EXPECT_EQ(next({"10.0.0.4"}), std::nullopt);
  EXPECT_EQ(next({"10.0.0.5", "10.0.0.6"}), std::nullopt) << "of which neither is this host";
}

}  // namespace
}  // namespace muster::healthcheck
