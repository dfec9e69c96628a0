// SPDX-License-Identifier: Apache-2.0
#include "topology/log/kernel_log.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

std::vector<std::string> read(KernelLog& log) {
  std::vector<std::string> all;
  while (const auto message = log.next()) all.emplace_back(message->text);
  return all;
}

TEST(KernelLog, GivesEveryMessageAndTellsWhatTheRingLost) {
  const tests::TemporaryFolder folder;
  folder.write("kmsg", "6,7,1,-;one\n SUBSYSTEM=pci\n6,8,1,-;two\n\n6,11,1,-;three");
  KernelLog log(folder.path() / "kmsg");
  EXPECT_EQ(read(log), (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(log.messages(), 3U);
  EXPECT_EQ(log.lost_before(), 7U);
  EXPECT_EQ(log.lost_meanwhile(), 2U);
}

TEST(KernelLog, ALineOfAnyLengthIsOneMessage) {
  const tests::TemporaryFolder folder;
  for (const std::size_t size : {KernelLog::max_bytes, KernelLog::max_bytes + 1, std::size_t{1'000'000}}) {
    folder.write("log", "before\n" + std::string(size, 'x') + "\nafter\n");
    KernelLog log(folder.path() / "log");
    EXPECT_EQ(read(log), (std::vector<std::string>{"before", std::string(KernelLog::max_bytes, 'x'), "after"}));
    EXPECT_EQ(log.cut_lines(), size > KernelLog::max_bytes ? 1U : 0U);
  }
}

TEST(KernelLog, LinesThatLieInTwoBlocksAreWhole) {
  const tests::TemporaryFolder folder;
  std::string text;
  std::vector<std::string> lines;
  for (int i = 0; i < 20'000; ++i) {
    lines.push_back("line " + std::to_string(i));
    text += lines.back() + "\n";
  }
  folder.write("log", text);
  KernelLog log(folder.path() / "log");
  EXPECT_EQ(read(log), lines);
}

TEST(KernelLog, AFileThatIsNotThereIsNamed) {
  const tests::TemporaryFolder folder;
  try {
    KernelLog log(folder.path() / "none");
    FAIL() << "it was opened";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("none: No such file"), std::string::npos) << error.what();
  }
}

struct Told {
  std::string text;
  std::optional<double> seconds, date;
  std::size_t boot;
};

std::vector<Told> told(const std::string& log) {
  const tests::TemporaryFolder folder;
  folder.write("log", log);
  KernelLog reader(folder.path() / "log");
  std::vector<Told> all;
  while (const auto message = reader.next())
    all.push_back({std::string(message->text), message->seconds, message->date, message->boot});
  return all;
}

std::vector<std::string> texts(const std::string& log) {
  std::vector<std::string> all;
  for (const auto& message : told(log)) all.push_back(message.text);
  return all;
}

using Texts = std::vector<std::string>;

TEST(KernelLog, IndentedLinesBelongToTheMessageAboveThem) {
  EXPECT_EQ(texts("[    1.0] one\n          two\n\tthree\n[    2.0] four\n"), (Texts{"one\ntwo\nthree", "four"}));
  EXPECT_EQ(texts("6,0,1,-;one\\x0atwo\n KEY=value\n6,1,2,-;three\n"), (Texts{"one\ntwo", "three"}));
  EXPECT_EQ(texts("Jun 11 02:15:02 h kernel: one#012two\n"), (Texts{"one\ntwo"}));
}

TEST(KernelLog, AMessageThatSyslogSplitIsOne) {
  const std::string front = "Jun 11 02:15:02 h kernel: ";
  EXPECT_EQ(texts(front + "drv: The device 1\n" + front + "drv: (of kind 2) has\n" + front + "drv: gone away.\n" +
                  front + "drv: and is back\n"),
            (Texts{"drv: The device 1\ndrv: (of kind 2) has\ndrv: gone away.", "drv: and is back"}));
  EXPECT_EQ(texts(front + "drv: one\nJun 11 02:15:03 h kernel: drv: (two)\n"), (Texts{"drv: one", "drv: (two)"}))
      << "at another time";
  EXPECT_EQ(texts(front + "drv: one\n" + front + "drv: two\n"), (Texts{"drv: one", "drv: two"}));
}

TEST(KernelLog, PartsThatAContainersRuntimeCutOffAreOneMessage) {
  EXPECT_EQ(texts("2025-06-11T02:15:02.5Z stdout P [    1.0] on\n2025-06-11T02:15:02.5Z stdout P e and \n"
                  "2025-06-11T02:15:02.5Z stdout F two\n2025-06-11T02:15:03Z stdout F [    2.0] three\n"),
            (Texts{"one and two", "three"}));
}

TEST(KernelLog, ManyFurtherLinesTakeNoMemory) {
  std::string log = "[    1.0] one\n";
  for (int i = 0; i < 100'000; ++i) log += "          more\n";
  const auto all = texts(log);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_LE(all[0].size(), KernelLog::max_bytes);
}

TEST(KernelLog, BootsAreToldApart) {
  const auto boots = [](const std::string& log) {
    std::string numbers;
    for (const auto& message : told(log)) numbers += std::to_string(message.boot);
    return numbers;
  };
  EXPECT_EQ(
      boots("[    0.0] Linux version 6\n[   90.0] one\n[    0.0] microcode\n[    0.0] Linux version 6\n[ 5.0] two\n"),
      "00111");
  EXPECT_EQ(boots("Jun 11 02:15:02 h kernel: one\n-- Reboot --\nJun 11 02:16:02 h kernel: two\n"), "01");
  EXPECT_EQ(boots("Jun 11 02:15:02 h kernel: one\nJun 11 02:16:02 h kernel: Linux version 6\n"), "01");
  EXPECT_EQ(boots("-- Boot 0a --\nJun 11 02:15:02 h kernel: one\n"), "0");
  EXPECT_EQ(boots(R"({"_BOOT_ID":"a","MESSAGE":"one"})"
                  "\n"
                  R"({"_BOOT_ID":"b","MESSAGE":"two"})"
                  "\n"),
            "01");
  EXPECT_EQ(boots("[   90.0] one\n[   89.9] two\n[   31.0] of a slow CPU\n"), "000") << "out of order";
}

TEST(KernelLog, DatesWithoutAYearAreOfTheLastOne) {
  const tests::TemporaryFolder folder;
  folder.write("log", "Dec 31 23:59:59 h kernel: one\nJan  1 00:00:01 h kernel: two\n");
  KernelLog log(folder.path() / "log");
  const auto first = log.next()->date.value();
  EXPECT_EQ(log.next()->date.value() - first, 2);
}

TEST(KernelLog, WhatIsNoneIsSaid) {
  const auto problem = [](const std::string& text) {
    const tests::TemporaryFolder folder;
    folder.write("log", text);
    KernelLog log(folder.path() / "log");
    while (log.next()) {
    }
    return log.problem();
  };
  EXPECT_EQ(problem("total 8\n-rw-r--r-- 1 root\n"),
            "is not a kernel log that muster understands: line 1 is 'total 8'");
  EXPECT_EQ(problem("{\n  \"schema\": 1,\n  \"status\": \"pass\"\n}\n"),
            "is not a kernel log that muster understands: line 1 is '  \"schema\": 1,'");
  EXPECT_EQ(problem("[    1.0] one\ntwo\n"), "");
  EXPECT_EQ(problem("Linux version 6.1\nusb 1-1: new device\n"), "") << "dmesg --notime from the start";
  EXPECT_EQ(problem("Jun 11 02:15:02 h sshd[1]: hello\nJun 11 02:15:02 h cron[2]: hello\n"), "");
  EXPECT_EQ(problem(""), "");
}

TEST(KernelLog, AFolderIsNone) {
  const tests::TemporaryFolder folder;
  KernelLog log(folder.path());
  EXPECT_THROW(log.next(), Error);
}

}  // namespace
}  // namespace muster::topology
