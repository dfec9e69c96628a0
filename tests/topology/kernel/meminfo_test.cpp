// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/meminfo.hpp"

#include <gtest/gtest.h>

#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

TEST(Meminfo, KilobytesBecomeBytesAndCountsStay) {
  const auto memory = meminfo("MemTotal:       16384 kB\nHugePages_Total:       3\nHardwareCorrupted:     4 kB\n");
  EXPECT_EQ(memory.at("MemTotal"), 16384.0 * 1024);
  EXPECT_EQ(memory.at("HugePages_Total"), 3);
  EXPECT_EQ(memory.at("HardwareCorrupted"), 4096);
}

TEST(Meminfo, NamesInBracketsStay) { EXPECT_EQ(meminfo("Active(anon): 2 kB\n").at("Active(anon)"), 2048); }

TEST(Meminfo, NumaNodesFileHasItsNodeBeforeTheName) {
  EXPECT_EQ(meminfo("Node 1 MemTotal:  8 kB\nNode 1 MemFree: 4 kB\n").at("MemTotal"), 8192);
}

TEST(Meminfo, GarbageIsAnErrorThatQuotesTheLine) {
  for (const auto* text : {"MemTotal 16 kB", "MemTotal: kB", "MemTotal: -1 kB", "MemTotal: 16 MB",
                           "MemTotal:", ": 1 kB", "MemTotal: 1 kB x"})
    try {
      meminfo(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace muster::topology
