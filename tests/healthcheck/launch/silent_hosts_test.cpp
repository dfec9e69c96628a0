// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/silent_hosts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "healthcheck/run/start_letter.hpp"

namespace muster::healthcheck {
namespace {

using Texts = std::vector<std::string>;

const Texts three_names{"n1", "n2", "n3"};
const Texts three_addresses{"192.0.2.1", "192.0.2.2", "fd77::3"};

TEST(SilentHosts, AreThoseOfWhomNobodySaidThatHeWaits) {
  EXPECT_EQ(silent_hosts(three_names, three_addresses, {{"fd77::3"}, {"192.0.2.1"}}), Texts{"n2"});
  EXPECT_EQ(silent_hosts(three_names, three_addresses, {{"192.0.2.1"}}), (Texts{"n2", "n3"}));
  EXPECT_EQ(silent_hosts(three_names, three_addresses, {{"192.0.2.2", "192.0.2.1"}, {"fd77::3"}}), Texts{});
}

TEST(SilentHosts, AreUnknownWhereNobodyWaitsOrOneWhomTheJobDoesNotKnow) {
  EXPECT_EQ(silent_hosts(three_names, three_addresses, {}), Texts{});
  EXPECT_EQ(silent_hosts(three_names, three_addresses, {{"192.0.2.1"}, {}}), Texts{});
  EXPECT_EQ(silent_hosts(three_names, three_addresses, {{"192.0.2.1"}, {"198.51.100.7"}}), Texts{});
  EXPECT_EQ(silent_hosts(three_names, {}, {{"192.0.2.1"}}), Texts{});
}

TEST(SilentHosts, StandInTheReasonAndAsFacts) {
  results::CheckRun run;
  run.check = "host_allreduce";
  run.reason = "did not end within 9 s";
  const auto told = with_silent_hosts(run, {"n2"});
  EXPECT_TRUE(told.reason.starts_with("did not end within 9 s; the ranks on n2 did not come to the start of MPI"))
      << told.reason;
  ASSERT_EQ(told.measurements.size(), 1U);
  EXPECT_EQ(told.measurements[0].metric, "host_allreduce.failed_host");
  EXPECT_EQ(told.measurements[0].labels, (results::Labels{{"host", "n2"}}));
}

TEST(LetterOfWaiting, IsReadAsItWasWritten) {
  for (const auto& addresses : {Texts{}, Texts{"192.0.2.1"}, Texts{"192.0.2.1", "fd77::3"}})
    for (const auto& told : {Texts{}, Texts{"172.17.0.1"}}) {
      const WaitingHost host{.addresses = addresses, .told = told};
      EXPECT_EQ(read_letter_of_waiting(letter_of_waiting(host)), host);
    }
  for (const char* other : {"", "{}\n", "muster-host-allreduce: h1: 10.78.0.3 cannot be reached\n", "muster waits\n"})
    EXPECT_EQ(read_letter_of_waiting(other), std::nullopt) << other;
}

}  // namespace
}  // namespace muster::healthcheck
