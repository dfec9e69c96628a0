// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

// Machines with Soft-RoCE devices, whose libibverbs is that of verbs_in_memory.cpp.
namespace muster::tests {

// With one device and its Ethernet adapter, eth0.
void write_machine(const TemporaryFolder& tree, const std::string& nic);

// These options, and as few samples as have an interval, where nothing is about their number: without thresholds
// ib_bandwidth goes on until its time ends.
std::vector<std::string> few_samples(std::vector<std::string> options);

// From now on this device, on whichever host it is, counts in this file what it sends; more than it can be, at once
// when a connection carries its first message. A device without one is not seen to send.
void count_into(const std::string& device, const std::filesystem::path& file);
void count_no_more();

// Tests that break that libibverbs.
class RdmaInMemory : public testing::TestWithParam<const char*> {
 protected:
  void TearDown() override;
  static void break_verbs(const char* fault);
};

class RdmaMachine : public RdmaInMemory {
 protected:
  RdmaMachine() { write_machine(tree_, "rxe0"); }
  results::CheckRun run(std::vector<std::string> options = {}) const;

  TemporaryFolder tree_;
};

// Machines with a device each, rxe0 to rxe3, on one network; faults are those of rxe1.
class RdmaMachines : public RdmaInMemory {
 protected:
  RdmaMachines();
  results::CheckRun run(std::size_t hosts, Given given = {}, std::string_view profile = "generic") const;
  results::CheckRun run_until_precise(std::size_t hosts, const Given& given,
                                      std::string_view profile = "generic") const;

  std::array<TemporaryFolder, 4> trees_;
};

// One machine with all four devices; faults are those of rxe1.
class RdmaPorts : public RdmaInMemory {
 protected:
  explicit RdmaPorts(std::size_t ports = 4);
  results::CheckRun run(std::vector<std::string> options = {}) const;

  TemporaryFolder tree_;
};

// Two hosts whose two devices have the same names, rxe0 and rxe2.
class RdmaRails : public RdmaInMemory {
 protected:
  RdmaRails();
  results::CheckRun run(std::string_view profile = "generic", std::vector<std::string> options = {}) const;

  std::array<TemporaryFolder, 2> trees_;
};

std::vector<const results::Measurement*> of(const results::CheckRun& run, std::string_view metric);

// A profile in this folder: generic, and these bounds of ib_bandwidth, each by its metric, labels, thresholds and so
// on.
std::string profile_of_rates(const TemporaryFolder& folder, const std::vector<std::string>& bounds);

// What these labels are of all that was measured.
std::set<std::vector<std::string>> measured(const results::CheckRun& run, const std::vector<std::string>& labels);

// The hosts, or the adapters, of all verdicts that are worse than pass.
std::set<std::string> accused(const results::CheckRun& run, const std::string& label = "host");

}  // namespace muster::tests
