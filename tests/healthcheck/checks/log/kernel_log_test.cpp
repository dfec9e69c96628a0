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
#include <vector>

#include "healthcheck/fault.hpp"
#include "healthcheck/log/catalogue.hpp"
#include "healthcheck/profile.hpp"
#include "tests/support/alone.hpp"
#include "tests/support/capabilities.hpp"
#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using healthcheck::Catalogue;
using results::Status;

const Given preflight{.tier = results::Tier::preflight};

// What the kernel says of one fault, and what must be said of it.
struct Said {
  std::string line;
  std::string fault;
  results::Labels labels;
};

void PrintTo(const Said& said, std::ostream* out) { *out << said.line; }

nlohmann::json messages() {
  return nlohmann::json::parse(std::ifstream(source_folder() / "tests/healthcheck/checks/log/messages.json"));
}

std::vector<Said> said_of_faults() {
  std::vector<Said> all;
  const auto document = messages();
  for (const auto& each : document.at("faults"))
    all.push_back({each.at("line"), each.at("fault"), each.at("labels").get<results::Labels>()});
  return all;
}

std::vector<std::string> harmless() { return messages().at("harmless"); }

Catalogue catalogue() {
  return Catalogue(healthcheck::read_kernel_faults(source_folder() / "healthcheck/kernel_messages.json"));
}

healthcheck::Faults faults() { return healthcheck::Faults(source_folder() / "healthcheck/faults.json"); }

// A record of the ring, so many seconds after boot.
std::string record(std::size_t sequence, double seconds, const std::string& text) {
  return "4," + std::to_string(sequence) + "," + std::to_string(static_cast<long>(seconds * 1e6)) + ",-;" + text + "\n";
}

// A healthy node with two GPUs, an adapter and a log, to be told of one more thing.
class KernelLog : public testing::Test {
 protected:
  KernelLog() {
    add_device("0001:00:00.0", "0x10de", "0x030200");
    add_device("0002:00:00.0", "0x10de", "0x030200");
    add_device("0104:00:00.0", "0x15b3", "0x020700");
    tree_.write("sys/bus/pci/devices/0104:00:00.0/infiniband/mlx5_ib3/node_type", "1: CA\n");
    tree_.write("proc/uptime", "90000.00 9000.00\n");
    for (const auto& line : harmless()) add(line);
  }

  void add_device(const std::string& address, const std::string& vendor, const std::string& kind) const {
    const auto folder = "sys/bus/pci/devices/" + address;
    tree_.write(folder + "/vendor", vendor + "\n");
    tree_.write(folder + "/device", "0x2330\n");
    tree_.write(folder + "/class", kind + "\n");
  }
  void add(const std::string& text, double after = 1) {
    seconds_ += after;
    log_ += record(sequence_++, seconds_, text) + " SUBSYSTEM=pci\n DEVICE=+pci:0000:00:00.0\n";
  }
  results::CheckRun run(const std::vector<std::string>& options = {}) {
    tree_.write("dev/kmsg", log_);
    Given given = preflight;
    given.options = options;
    return checked(tree_.path(), "nd96isr_h100_v5", given);
  }

  TemporaryFolder tree_;
  std::string log_;
  std::size_t sequence_ = 0;
  double seconds_ = 0;
};

class KernelLogFaults : public KernelLog {};

class KernelLogMessageFaults : public KernelLog, public testing::WithParamInterface<Said> {};

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

INSTANTIATE_TEST_SUITE_P(OfTheCatalogue, KernelLogMessageFaults, testing::ValuesIn(said_of_faults()),
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

TEST_F(KernelLogFaults, AFileOfDmesgOrOfASystemLogIsReadAsWell) {
  const std::string text = "NVRM: Xid (PCI:0001:00:00): 79, GPU has fallen off the bus.";
  for (const auto* front : {"[   12.345678] ", "<4>[   12.345678] ", "Nov 25 10:00:00 gpu-0017 kernel: [   12.345678] ",
                            "2026-11-25T10:00:00+00:00 gpu-0017 kernel: ", ""}) {
    const auto file = tree_.path() / "copy.log";
    tree_.write("copy.log", front + text + "\n");
    expect_fault(run({"--file", file.string()}), Status::fail, "gpu_lost", {{"gpu", "0"}, {"xid", "79"}});
  }
}

TEST_F(KernelLogFaults, ManyKindsOfLabelsTakeNoMoreMemory) {
  for (int i = 0; i < 3000; ++i) add("nfs: server host" + std::to_string(i) + " not responding, still trying");
  const auto run = this->run();
  EXPECT_LT(run.measurements.size(), 4400U);
  expect_fault(run, Status::warn, "remote_filesystem_hung", {{"server", "host7"}});
}

TEST(KernelLogCatalogue, EachRowIsTheFirstThatOneLineOfTheTestsFits) {
  const auto all = catalogue();
  std::set<const healthcheck::KernelFault*> seen;
  for (const auto& said : said_of_faults()) {
    const auto hit = all.find(said.line);
    ASSERT_TRUE(hit) << said.line;
    EXPECT_EQ(hit->row->fault, said.fault) << said.line;
    seen.insert(hit->row);
  }
  for (const auto& line : harmless())
    if (const auto hit = all.find(line)) {
      EXPECT_TRUE(hit->row->fault.empty() && !hit->row->is_unknown) << line;
      seen.insert(hit->row);
    }
  const auto document = messages();
  for (const std::string line : document.at("unknown")) {
    const auto hit = all.find(line);
    ASSERT_TRUE(hit) << line;
    EXPECT_TRUE(hit->row->is_unknown) << line;
    seen.insert(hit->row);
  }
  for (const auto& row : all.rows()) EXPECT_TRUE(seen.contains(&row)) << "no line for: " << row.pattern;
}

TEST(KernelLogCatalogue, WhatARowEndsOrFollowsFromIsAFault) {
  std::set<std::string> codes;
  const auto all = catalogue();
  for (const auto& row : all.rows()) codes.insert(row.fault);
  for (const auto& row : all.rows())
    for (const auto* list : {&row.ends, &row.consequence_of})
      for (const auto& code : *list) EXPECT_TRUE(codes.contains(code)) << code << " of " << row.pattern;
}

TEST(KernelLogCatalogue, EachFaultIsInTheTable) {
  const auto all = catalogue();
  for (const auto& row : all.rows()) EXPECT_TRUE(row.fault.empty() || faults().find(row.fault) != nullptr) << row.fault;
}

// What root writes there is in the log of this machine; and stays, so it must be nothing that a later check minds: an
// error of an application on a GPU that no other test has.
TEST(KernelLogLive, WhatTheRingOfThisMachineSaysIsNamed) {
  std::ofstream ring("/dev/kmsg");
  if (geteuid() != 0 || !ring) GTEST_SKIP() << "writing to /dev/kmsg needs root";
  const auto address = fmt::format("{:08x}:ff:00", static_cast<unsigned>(getpid()));
  ring << "<4>NVRM: Xid (PCI:" << address << "): 43, a test of muster\n" << std::flush;
  const auto run = checked("/", "generic", preflight);
  EXPECT_TRUE(std::ranges::any_of(run.measurements, [&](const auto& each) {
    const auto pci = each.labels.find("pci");
    return each.metric == "kernel_log.by_applications" && pci != each.labels.end() && pci->second == address + ".0";
  }));
}

}  // namespace
}  // namespace muster::tests
