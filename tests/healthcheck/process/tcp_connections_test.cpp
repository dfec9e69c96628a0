// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/tcp_connections.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/full_listener.hpp"

namespace muster::healthcheck {
namespace {

const std::string head_of_table =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

TEST(TcpConnections, AreReadFromTheKernelsTable) {
  const auto rest = std::string(" 00000000:00000001 01:00000064 00000001     0        0 ");
  const auto found =
      connections_in(head_of_table + "   0: 00000000:0016 00000000:0000 0A" + rest + "11 1 0 100 0 0 10 0\n" +
                         "   1: 02004E0A:B0F2 03004E0A:0400 02" + rest + "12 2 0 200 0 0 1 7\n" +
                         "   2: 02004E0A:B0F4 04004E0A:0401 01" + rest + "13 1 0 20 4 30 10 -1\n",
                     TcpState::unanswered);
  EXPECT_EQ(
      found,
      (std::vector<TcpConnection>{{.source = "10.78.0.2", .destination = "10.78.0.3", .port = "1024", .socket = 12}}));
}

TEST(TcpConnections, MayBeEstablished) {
  const auto table = head_of_table + "   0: 02004E0A:B0F2 03004E0A:0400 02 0 0 0 0 0 12 2\n" +
                     "   1: 02004E0A:B0F4 04004E0A:0401 01 0 0 0 0 0 13 1\n";
  EXPECT_EQ(
      connections_in(table, TcpState::established),
      (std::vector<TcpConnection>{{.source = "10.78.0.2", .destination = "10.78.0.4", .port = "1025", .socket = 13}}));
}

TEST(TcpConnections, MayBeOfIpv6) {
  const auto rest = std::string(" 00000000:00000001 01:00000064 00000001     0        0 ");
  const auto found = connections_in(
      head_of_table + "   0: 000078FD000000000000000002000000:B0F2 000078FD000000000000000003000000:0401 02" + rest +
          "12 2 0 200 0 0 1 7\n" +
          "   1: 0000000000000000FFFF000002004E0A:B0F2 0000000000000000FFFF000003004E0A:0400 02" + rest +
          "13 2 0 200 0 0 1 7\n",
      TcpState::unanswered);
  EXPECT_EQ(found, (std::vector<TcpConnection>{
                       {.source = "fd78::2", .destination = "fd78::3", .port = "1025", .socket = 12},
                       {.source = "10.78.0.2", .destination = "10.78.0.3", .port = "1024", .socket = 13}}));
}

TEST(TcpConnections, AreAskedForAgainAsOftenAsTheKernelCounts) {
  EXPECT_EQ(asked_again_in("TcpExt: TW TCPSynRetrans TCPTimeouts\nTcpExt: 5 17 6\nIpExt: InNoRoutes\nIpExt: 3\n"), 17);
  EXPECT_EQ(asked_again_in("IpExt: InNoRoutes\nIpExt: 3\nTcpExt: TCPSynRetrans\nTcpExt: 0\n"), 0);
  for (const char* text :
       {"", "TcpExt: TW\nTcpExt: 5\n", "TcpExt: TW TCPSynRetrans\n", "TcpExt: TW TCPSynRetrans\nTcpExt: 5\n"})
    EXPECT_EQ(asked_again_in(text), std::nullopt) << text;
  EXPECT_NE(asked_again(), std::nullopt) << "every kernel since Linux 3.16 tells";
}

TEST(TcpConnections, LeaveOutLinesOfAnotherForm) {
  for (const char* line : {"", "0:", "0: 0:0 0:0 02 0 0 0 0 0 12", "0: 02004E0A 03004E0A 02 0 0 0 0 0 12",
                           "0: 02004E0G:B0F2 03004E0A:0400 02 0 0 0 0 0 12", "0: 02004E0A:B0F2 03004E0A:0400 02 0 0"})
    EXPECT_TRUE(connections_in(line, TcpState::unanswered).empty()) << line;
}

// Other tests that this one's parent started may have some, too.
bool is_unanswered(const std::string& port) {
  return std::ranges::any_of(unanswered_connections(), [&](const TcpConnection& each) {
    return each.destination == "127.0.0.1" && each.port == port;
  });
}

TEST(TcpConnections, ThatNobodyAnswersAreOfThisProcess) {
  tests::FullListener full;
  EXPECT_FALSE(is_unanswered(full.port()));
  full.fill();
  EXPECT_TRUE(is_unanswered(full.port()));
  full.let_go();
  EXPECT_FALSE(is_unanswered(full.port()));
}

}  // namespace
}  // namespace muster::healthcheck
