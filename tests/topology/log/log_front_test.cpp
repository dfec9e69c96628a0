// SPDX-License-Identifier: Apache-2.0
#include "topology/log/log_front.hpp"

#include <gtest/gtest.h>

#include <string>

#include "topology/log/log_objects.hpp"
#include "topology/log/log_time.hpp"

namespace muster::topology {
namespace {

constexpr double written = 1'749'700'000;  // 2025-06-12T03:46:40Z
constexpr double june_11 = 1'749'608'102;  // 2025-06-11T02:15:02Z
constexpr auto said = "mlx5_core 0104:00:00.0: Port: 1 (of 2)";

// A front, and what it tells.
struct Form {
  std::string front;
  std::optional<double> seconds{}, date{};
  std::optional<std::uint64_t> sequence{};
};

void PrintTo(const Form& form, std::ostream* out) { *out << form.front; }

class LogFront : public testing::TestWithParam<Form> {};

TEST_P(LogFront, IsTakenOffAndTellsTheTime) {
  const auto& form = GetParam();
  const std::string line = form.front + said;
  const auto found = without_front(line, written);
  EXPECT_EQ(found.text, said);
  EXPECT_TRUE(found.has_front);
  EXPECT_EQ(found.kind, LineKind::message);
  EXPECT_EQ(found.sequence, form.sequence);
  EXPECT_EQ(found.seconds, form.seconds);
  ASSERT_EQ(found.date.has_value(), form.date.has_value());
  if (form.date) {
    EXPECT_NEAR(*found.date, *form.date, 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryForm, LogFront,
    testing::Values(
        Form{"6,339,5140900,-;", 5.1409, {}, 339}, Form{"4,18446744073709551615,1,c,caller=T1;", 1e-6, {}, ~0ULL},
        Form{"[    5.140900] ", 5.1409}, Form{"[99999.5]", 99999.5}, Form{"<4>[    5.140900] ", 5.1409}, Form{"<4>"},
        Form{"[    5.140900][   T12] ", 5.1409}, Form{"[    5.140900][    C5] ", 5.1409}, Form{"[  T345] "},
        Form{"[    5.140900 <    0.000012>] ", 5.1409}, Form{"[<    0.000012>] "},
        Form{"[    5.140900 <    0.000012 >] host kernel: ", 5.1409}, Form{"[    5.140900 <    0.000012*>] ", 5.1409},
        Form{"04:59:15,874 NOTICE kernel:"}, Form{"kernel: "}, Form{"\u043a\u0432\u0456 06 13:54:36 host kernel: "},
        Form{"kern  :err   : [    5.140900] ", 5.1409}, Form{"kern  :warn  : ", {}, {}},
        Form{"kern  :err   : [Wed Jun 11 02:15:02 2025] ", {}, june_11},
        Form{"[Wed Jun 11 02:15:02 2025] ", {}, june_11}, Form{"[Jun11 02:15] ", {}, june_11 - 2},
        Form{"2025-06-11T02:15:02,500000+00:00 ", {}, june_11 + 0.5},
        Form{"kern  :err   : 2025-06-11T04:15:02,500000+02:00 ", {}, june_11 + 0.5},
        Form{"Jun 11 02:15:02 host kernel: ", {}, june_11},
        Form{"Jun  1 02:15:02 host kernel: ", {}, june_11 - 864'000},
        Form{"Jun 11 02:15:02 host kernel: [    5.140900] ", 5.1409, june_11},
        Form{"Jun 11 02:15:02 host kernel[0]: ", {}, june_11}, Form{"<4>Jun 11 02:15:02 host kernel: ", {}, june_11},
        Form{"2025-06-11T02:15:02.500000+00:00 host kernel: ", {}, june_11 + 0.5},
        Form{"2025-06-11T02:15:02+0000 host kernel: [    5.140900] ", 5.1409, june_11},
        Form{"<4>1 2025-06-11T02:15:02Z host kernel - - - ", {}, june_11},
        Form{"<4>1 2025-06-11T02:15:02Z host kernel 1 ID [meta a=\"]b\"] ", {}, june_11},
        Form{"Wed 2025-06-11 02:15:02 UTC host kernel: ", {}, june_11}, Form{"[    5.140900] host kernel: ", 5.1409},
        Form{"1749608102.500000 host kernel: ", {}, june_11 + 0.5},
        Form{"2025-06-11T02:15:02.5Z stdout F [    5.140900] ", 5.1409, june_11 + 0.5},
        Form{"2025-06-11T02:15:02.5Z stderr F <4>[    5.140900] ", 5.1409, june_11 + 0.5},
        Form{"2025-06-11T02:15:02.5Z [    5.140900] ", 5.1409, june_11 + 0.5},
        Form{"[pod/logger-x7k2/dmesg] [    5.140900] ", 5.1409},
        Form{"[pod/logger-x7k2/dmesg] 2025-06-11T02:15:02.5Z [    5.140900] ", 5.1409, june_11 + 0.5},
        Form{"10.1.0.7: kern:     err: [2025-06-11T02:15:02Z]: ", {}, june_11},
        Form{"node-1: kern: warning: [2025-06-11T02:15:02Z]: ", {}, june_11}, Form{"> [    5.140900] ", 5.1409},
        Form{"\t[    5.140900] ", 5.1409}, Form{"  > > Jun 11 02:15:02 host kernel: ", {}, june_11},
        Form{"11.06.25 02:15:02 host kernel: "}));

TEST(LogFrontLine, WithoutOneIsAMessageAsItIs) {
  for (const std::string line :
       {"[Hardware Error]: one", "[", "6,339,5140900,-", "6,99999999999999999999,5140900,-;one", "<no>two",
        "June is a month", "Mon", "2025 three", "audit: somebody[4711]: NVRM: Xid", "-rw-r--r-- 1 root root", "[1",
        "[<", "[pod/", "{\"a\": 1}"}) {
    const auto found = without_front(line, written);
    EXPECT_FALSE(found.has_front) << line;
    EXPECT_EQ(found.text, line);
  }
}

TEST(LogFrontLine, OfAnotherProgramIsNoMessage) {
  for (const std::string line :
       {"Jun 11 02:15:02 host sshd[4711]: NVRM: Xid", "2025-06-11T02:15:02+00:00 host sshd[4711]: NVRM: Xid",
        "<4>1 2025-06-11T02:15:02Z host sshd 1 - - NVRM: Xid", "[    1.0] host systemd[1]: NVRM: Xid"})
    EXPECT_EQ(without_front(line, written).kind, LineKind::other) << line;
}

TEST(LogFrontLine, QuotesOfTheKernelStayQuotes) {
  const std::string line = "Jun 11 02:15:02 host kernel: told kernel: NVRM: Xid";
  EXPECT_EQ(without_front(line, written).text, "told kernel: NVRM: Xid");
}

TEST(LogTime, NoDateIsNone) {
  for (const std::string text :
       {"2025-13-11T02:15:02Z", "2025-02-30T02:15:02Z", "2025-06-11", "Jun 31 02:15:02 x", "Jun", "Wed Jun 11", ""}) {
    std::string_view left = text;
    EXPECT_EQ(take_iso_time(left), std::nullopt) << text;
    EXPECT_EQ(take_c_time(left), std::nullopt) << text;
    EXPECT_EQ(take_syslog_time(left, written), std::nullopt) << text;
    EXPECT_EQ(left, text);
  }
}

TEST(LogColours, AreTakenOff) {
  EXPECT_EQ(without_colours("\x1b[32m[    1.0] \x1b[0m\x1b[33mdrv: \x1b[0mtext\x1b[1;31m!\x1b[0m"),
            "[    1.0] drv: text!");
  EXPECT_EQ(without_colours("\x1b"), "");
  EXPECT_FALSE(has_colours("[    1.0] drv"));
}

}  // namespace
}  // namespace muster::topology
