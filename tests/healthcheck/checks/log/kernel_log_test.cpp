// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/parts/log/catalogue.hpp"
#include "healthcheck/program/error.hpp"
#include "tests/healthcheck/checks/log/kernel_log_machine.hpp"
#include "tests/support/alone.hpp"
#include "tests/support/capabilities.hpp"
#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using healthcheck::Catalogue;
using results::Status;

const Given preflight{.tier = results::Tier::preflight};

using KernelLog = KernelLogMachine;

class KernelLogFaults : public KernelLogMachine {};

class KernelLogMessageFaults : public KernelLogMachine, public testing::WithParamInterface<Said> {};

TEST_P(KernelLogMessageFaults, AreNamed) {
  const auto& said = GetParam();
  for (int i = 0; i < 6; ++i) add(said.line);
  add("the last message of all");
  auto labels = said.labels;
  labels.emplace("code", said.fault);
  if (catalogue().find(said.line)->row->is_by_application) {
    const auto run = this->run();
    expect_healthy(run);
    EXPECT_TRUE(std::ranges::any_of(run.measurements, [&](const auto& each) {
      return each.metric == "kernel_log.by_applications" && each.labels == labels;
    }));
    return;
  }
  expect_fault(run(), faults().find(said.fault)->severity, said.fault, labels);
}

// One message of each fault; that the others are found, too, is a matter of the catalogue.
std::vector<Said> one_of_each_fault() {
  std::vector<Said> all;
  std::set<std::string> told;
  for (auto& said : said_of_faults())
    if (told.insert(said.fault).second) all.push_back(std::move(said));
  return all;
}

INSTANTIATE_TEST_SUITE_P(OfTheCatalogue, KernelLogMessageFaults, testing::ValuesIn(one_of_each_fault()),
                         [](const auto& each) { return each.param.fault + "_" + std::to_string(each.index); });

TEST_F(KernelLog, OfTheCapturedNodeIsGreen) {
  const TemporaryFolder untouched;
  copy_machine("ndv5", untouched);
  expect_healthy(checked(untouched.path(), "nd96isr_h100_v5", preflight));
}

TEST_F(KernelLog, StaysGreenWithWhatIsHarmless) { expect_healthy(run()); }

TEST_F(KernelLog, StaysGreenWhereOthersQuoteTheKernel) {
  for (const auto& said : said_of_faults()) add("audit: somebody[4711]: " + said.line);
  expect_healthy(run());
}

TEST_F(KernelLog, ErrorsOfApplicationsFailNoNodeHoweverManyThereAre) {
  for (int i = 0; i < 1000; ++i) add("NVRM: Xid (PCI:0001:00:00): 45, pid=4711, name=python3, Ch 00000010", 0.001);
  expect_healthy(run());
}

TEST_F(KernelLogFaults, ProcessesOfThreeDaysThatFailOnOneGpuAloneAreAWarning) {
  constexpr double day = 86400;
  for (int i = 0; i < 3; ++i)
    add("NVRM: Xid (PCI:0001:00:00): 31, pid=" + std::to_string(4711 + i) + ", name=python3, Ch 00000010", day);
  expect_fault(run(), Status::warn, "gpu_suspect", {{"gpu", "0"}, {"xid", "31"}});
  add("NVRM: Xid (PCI:0002:00:00): 31, pid=1, name=python3, Ch 00000010");
  expect_healthy(run());
}

TEST_F(KernelLogFaults, WhatIsOverAndComesAgainIsAFault) {
  const std::string front = "NVRM: Xid (PCI:0001:00:00): 154, GPU recovery action changed from ";
  add(front + "0x0 (None) to 0x1 (GPU Reset Required)");
  expect_fault(run(), Status::fail, "gpu_recovery_needed", {{"gpu", "0"}});
  add(front + "0x1 (GPU Reset Required) to 0x0 (None)");
  expect_healthy(run());
  add(front + "0x0 (None) to 0x2 (Node Reboot Required)");
  expect_fault(run(), Status::fail, "gpu_recovery_needed", {{"gpu", "0"}});
}

TEST_F(KernelLogFaults, WhatIsOlderThanAskedForDoesNotCount) {
  add("NVRM: Xid (PCI:0001:00:00): 79, GPU has fallen off the bus.", 5);
  add("all is well", 80000);
  expect_healthy(run({"--since", "20000"}));
  expect_fault(run({"--since", "89999"}), Status::fail, "gpu_lost", {{"gpu", "0"}});
}

TEST_F(KernelLogFaults, ARingThatLostItsBeginningWarns) {
  log_.clear();
  sequence_ = 4711;
  seconds_ = 70000;
  add("all is well");
  expect_fault(run(), Status::warn, "kernel_log_incomplete", {{"when", "before"}});
  expect_healthy(run({"--since", "10000"}));
}

TEST_F(KernelLogFaults, ARingThatWrappedWhileItWasReadIsUnknown) {
  sequence_ += 17;
  add("all is well");
  expect_fault(run(), Status::unknown, "kernel_log_incomplete", {{"when", "while it was read"}});
}

TEST_F(KernelLogFaults, AnEmptyOneIsUnknown) {
  log_.clear();
  expect_fault(run(), Status::unknown, "kernel_log_empty", {});
}

// As the kernel refuses its ring to users without CAP_SYSLOG (dmesg_restrict).
TEST_F(KernelLogFaults, WhatMayNotBeReadIsUnknownAndSaysWhatItTakes) {
  run();
  std::filesystem::permissions(tree_.path() / "dev/kmsg", std::filesystem::perms::none);
  alone([&] {
    ASSERT_TRUE(drop_capabilities());
    const auto refused = checked(tree_.path(), "nd96isr_h100_v5", preflight);
    expect_fault(refused, Status::unknown, "check_error", {});
    EXPECT_NE(refused.reason.find("CAP_SYSLOG"), std::string::npos) << refused.reason;
  });
}

TEST_F(KernelLogFaults, NoneIsASkipThatAGpuNodeDoesNotAllow) {
  expect_fault(checked(tree_.path(), "nd96isr_h100_v5", preflight), Status::fail, "not_measured", {});
  EXPECT_EQ(checked(tree_.path(), "generic", preflight).status, Status::skip);
}

TEST_F(KernelLogFaults, BinaryRubbishAndEndlessLinesHideNothing) {
  std::string rubbish;
  for (int i = 0; i < 4096; ++i) rubbish += static_cast<char>(i * 37 % 256);
  log_ += rubbish + "\n" + std::string(1'000'000, 'x') + "\n";
  add("NVRM: Xid (PCI:0001:00:00): 79, GPU has \xff\xfe fallen off the bus.");
  expect_fault(run(), Status::fail, "gpu_lost", {{"gpu", "0"}});
}

TEST_F(KernelLogFaults, ManyKindsOfLabelsTakeNoMoreMemory) {
  for (int i = 0; i < 3000; ++i) add("nfs: server host" + std::to_string(i) + " not responding, still trying");
  const auto run = this->run();
  EXPECT_LT(run.measurements.size(), 4400U);
  expect_fault(run, Status::warn, "remote_filesystem_hung", {{"server", "host7"}});
}

// What root writes there is in the log of this machine; and stays, so it must be nothing that a later check minds: an
// error of an application on a GPU that no other test has.
TEST(KernelLogLive, WhatTheRingOfThisMachineSaysIsNamed) {
  std::ofstream ring("/dev/kmsg");
  if (geteuid() != 0 || !ring) GTEST_SKIP() << "writing to /dev/kmsg needs root";
  const auto address = fmt::format("{:x}:ff:00", 0x10000U + static_cast<unsigned>(getpid()));
  ring << "<4>NVRM: Xid (PCI:" << address << "): 43, a test of muster\n" << std::flush;
  const auto run = checked("/", "generic", preflight);
  EXPECT_TRUE(std::ranges::any_of(run.measurements, [&](const auto& each) {
    const auto pci = each.labels.find("pci");
    return each.metric == "kernel_log.by_applications" && pci != each.labels.end() && pci->second == address + ".0";
  }));
}

}  // namespace
}  // namespace muster::tests
