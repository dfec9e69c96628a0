// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel_log.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "topology/error.hpp"

namespace muster::topology {
namespace {

struct Line {
  std::string text;
  std::optional<std::uint64_t> sequence;
  std::optional<double> seconds;
  std::string message;
};

void PrintTo(const Line& line, std::ostream* out) { *out << line.text; }

class KernelMessageLine : public testing::TestWithParam<Line> {};

TEST_P(KernelMessageLine, IsUnderstood) {
  const auto message = kernel_message(GetParam().text);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->sequence, GetParam().sequence);
  EXPECT_EQ(message->seconds, GetParam().seconds);
  EXPECT_EQ(message->text, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, KernelMessageLine,
    testing::Values(Line{"6,339,5140900,-;pci 0000:00:1f.3: one", 339, 5.1409, "pci 0000:00:1f.3: one"},
                    Line{"4,18446744073709551615,1,c,caller=T1;two; and more", 18446744073709551615U, 1e-6,
                         "two; and more"},
                    Line{"[    5.140900] three", {}, 5.1409, "three"}, Line{"[99999.5]four", {}, 99999.5, "four"},
                    Line{"<4>[    5.140900] five", {}, 5.1409, "five"}, Line{"<4>six", {}, {}, "six"},
                    Line{"Nov 25 10:00:00 node kernel: [    5.140900] seven", {}, 5.1409, "seven"},
                    Line{"2026-11-25T10:00:00+00:00 node kernel: eight", {}, {}, "eight"},
                    Line{"[Hardware Error]: nine", {}, {}, "[Hardware Error]: nine"}, Line{"[", {}, {}, "["},
                    Line{"6,339,5140900,-", {}, {}, "6,339,5140900,-"}, Line{"<no>ten", {}, {}, "<no>ten"},
                    Line{"[    1.0] told kernel: eleven", {}, 1, "told kernel: eleven"}));

TEST(KernelMessage, ALineThatContinuesAnotherIsNone) {
  EXPECT_FALSE(kernel_message(" SUBSYSTEM=pci"));
  EXPECT_FALSE(kernel_message(""));
}

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
  for (const std::size_t size : {KernelLog::most_bytes, KernelLog::most_bytes + 1, std::size_t{1'000'000}}) {
    folder.write("log", "before\n" + std::string(size, 'x') + "\nafter\n");
    KernelLog log(folder.path() / "log");
    EXPECT_EQ(read(log), (std::vector<std::string>{"before", std::string(KernelLog::most_bytes, 'x'), "after"}));
    EXPECT_EQ(log.cut_lines(), size > KernelLog::most_bytes ? 1U : 0U);
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

TEST(KernelLog, AFolderIsNone) {
  const tests::TemporaryFolder folder;
  KernelLog log(folder.path());
  EXPECT_THROW(log.next(), Error);
}

}  // namespace
}  // namespace muster::topology
