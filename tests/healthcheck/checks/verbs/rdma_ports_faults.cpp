// SPDX-License-Identifier: Apache-2.0
// What every check of RDMA must find between the ports of one machine; linked with each of them.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/rdma.hpp"

namespace muster::tests {
namespace {

using results::Status;

using Found = std::set<std::vector<std::string>>;

class RdmaOfPorts : public RdmaPorts {};
class RdmaOfPortsFaults : public RdmaPorts {
 protected:
  // Expects that this fault of rxe1 is found, and nobody else accused.
  void expect_named(const char* injected, Status status, std::string_view code) const {
    break_verbs(injected);
    const auto broken = run({"--operation", "write,send"});
    expect_fault(broken, status, code, {{"nic", "rxe1"}});
    EXPECT_EQ(accused(broken, "nic"), std::set<std::string>{"rxe1"}) << injected;
    for (const auto* once : {".refused", ".port_lost"}) EXPECT_LE(of(broken, broken.check + once).size(), 1U) << once;
  }
};
class RdmaOfTwoPorts : public RdmaPorts {
 protected:
  RdmaOfTwoPorts() : RdmaPorts(2) {}
};
using RdmaOfTwoPortsFaults = RdmaOfTwoPorts;

TEST_F(RdmaOfPorts, EveryPortIsMeasuredAndVerified) {
  const auto healthy = run();
  expect_healthy(healthy);
  EXPECT_EQ(measured(healthy, {"nic", "operation"}).size(), 12U);
}

TEST_F(RdmaOfPorts, ThoseOfOneLinkLayerMeet) {
  for (const auto* nic : {"rxe1", "rxe3"})
    tree_.write(std::string("sys/class/infiniband/") + nic + "/ports/1/link_layer", "InfiniBand\n");
  const auto healthy = run({"--operation", "write", "--nic", "rxe0,rxe1,rxe2,rxe3"});
  expect_healthy(healthy);
  EXPECT_EQ(measured(healthy, {"nic", "partner_nic"}),
            (Found{{"rxe0", "rxe2"}, {"rxe2", "rxe0"}, {"rxe1", "rxe3"}, {"rxe3", "rxe1"}}));
}

TEST_F(RdmaOfTwoPorts, OnePortAloneHasNoOther) {
  tree_.write("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN\n");
  EXPECT_EQ(run().reason, "no two ports of one link layer are active");
}

TEST_F(RdmaOfPortsFaults, APortThatBreaksWithAllIsNamed) {
  expect_named("verbs_retries", Status::fail, "rdma_path_broken");
}

TEST_F(RdmaOfPortsFaults, APortThatIsLostMeanwhileIsNamed) { expect_named("verbs_lost", Status::fail, "ib_port_down"); }

TEST_F(RdmaOfPortsFaults, AFlippedBitIsOfThePortThatSentIt) {
  expect_named("verbs_flipped_bit", Status::fail, "rdma_wrong_data");
}

TEST_F(RdmaOfPortsFaults, APortThatIsRefusedIsNamed) {
  for (const char* fault : {"verbs_forbidden", "verbs_no_lock"}) expect_named(fault, Status::unknown, "rdma_refused");
}

TEST_F(RdmaOfTwoPortsFaults, OfTwoNobodyCanTell) {
  break_verbs("verbs_unreachable");
  expect_fault(run(), Status::fail, "rdma_path_broken", {{"nic", "rxe0 rxe1"}});
}

}  // namespace
}  // namespace muster::tests
