// SPDX-License-Identifier: Apache-2.0
#include "topology/log/log_objects.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace muster::topology {
namespace {

constexpr double second = 1'749'608'102;  // 2025-06-11 02:15:02 UTC
constexpr double end_of_log = second + 60;

std::string message_of(const LogLine& line, const LogObjects& reader) {
  if (line.kind != LineKind::message) return "";
  return std::string(line.text) + (reader.boot().empty() ? "" : " of " + reader.boot()) + ";";
}

// Gives the lines to the reader of objects; what is a message, and of which boot.
std::string objects(const std::vector<std::string>& lines) {
  LogObjects reader;
  std::string all;
  for (const auto& line : lines)
    if (const auto found = reader.take(line, end_of_log); !found)
      all += "?";
    else
      all += message_of(*found, reader);
  return all + message_of(reader.end(end_of_log), reader);
}

TEST(LogObjectsOf, JournalctlAreMessages) {
  EXPECT_EQ(objects({R"({"__REALTIME_TIMESTAMP":"1","_TRANSPORT":"kernel","_BOOT_ID":"b","MESSAGE":"one"})",
                     R"({"_TRANSPORT":"syslog","MESSAGE":"two"})", R"({"MESSAGE":[116,104,114,101,101]})"}),
            "one of b;three;");
  EXPECT_EQ(objects({"{", "\t\"_BOOT_ID\" : \"b\",", "\t\"MESSAGE\" : \"one\",", "\t\"PRIORITY\" : \"6\"", "}"}),
            "one of b;");
  EXPECT_EQ(objects({"{", "\t\"MESSAGE\" : [", "\t\t111,", "\t\t110,", "\t\t101", "\t]", "}"}), "one;");
  EXPECT_EQ(objects({"\x1e{\"MESSAGE\":\"one\"}", "data: {\"MESSAGE\":\"two\"}"}), "one;two;");
}

TEST(LogObjectsOf, DmesgAndDockerAreMessages) {
  EXPECT_EQ(objects({"{", "   \"dmesg\": [", "      {", "         \"pri\": 6,", "         \"time\":     1.5,",
                     R"(         "msg": "one\n")", "      },{", R"(         "msg": "two")", "      }", "   ]", "}"}),
            "one;two;");
  EXPECT_EQ(objects({R"({"log":"[    1.0] one\n","stream":"stdout","time":"2025-06-11T02:15:02Z"})"}), "one;");
}

TEST(LogObjectsOf, TheExportOfJournalctlEndWithAnEmptyLine) {
  EXPECT_EQ(objects({"__CURSOR=s=1;i=1", "MESSAGE=one", "_TRANSPORT=kernel", "_BOOT_ID=b", "", "__CURSOR=s=1;i=2",
                     "MESSAGE=said by a program", "_TRANSPORT=syslog", "SYSLOG_IDENTIFIER=python3", "",
                     "__CURSOR=s=1;i=3", "_TRANSPORT=kernel", "MESSAGE=cut off here"}),
            "one of b;cut off here;");
  EXPECT_EQ(objects({"__CURSOR=s=1;i=1", "MESSAGE=no empty line", "__CURSOR=s=1;i=2", "MESSAGE=two", ""}),
            "no empty line;two;");
}

// "name", a length of 8 bytes and so many bytes, of which some may be those that end lines.
TEST(LogObjectsOf, TheExportOfJournalctlMayHoldBytes) {
  using std::string_literals::operator""s;
  EXPECT_EQ(objects({"__CURSOR=1", "MESSAGE", "\x07\0\0\0\0\0\0\0one"s, "two", "_TRANSPORT=kernel", "", "__CURSOR=2",
                     "MESSAGE=three", ""}),
            "one\ntwo;three;");
  EXPECT_EQ(objects({"__CURSOR=1", "MESSAGE", "", "\0\0\0\0\0\0\0four\x1b[0m!!"s, "_BOOT_ID=b", ""}),
            "four\x1b[0m!! of b;");
  EXPECT_EQ(objects({"__CURSOR=1", "COREDUMP", "\xff\0\0\0\0\0\0\0cut"s, "__CURSOR=2", "MESSAGE=two", ""}), "two;");
  EXPECT_EQ(objects({"__CURSOR=1", "MESSAGE=one", "FIELD", "\x02\0\0\0\0\0\0\0"s, "", "", "_BOOT_ID=b", ""}),
            "one of b;");
}

TEST(LogObjectsOf, VerboseJournalctlBeginWithADate) {
  const std::string date = "Wed 2025-06-11 02:15:02.501000 UTC [s=5c;i=1;b=11;m=4e758c;t=6374261721a88;x=22]";
  EXPECT_EQ(objects({date, "    _BOOT_ID=b", "    MESSAGE=first line", "            second line", "    PRIORITY=3",
                     date, "    MESSAGE=said by a program", "    _TRANSPORT=stdout", date, "    MESSAGE=last",
                     "    _TRANSPORT=kernel"}),
            "first line\nsecond line of b;last;");
  EXPECT_EQ(objects({date, "    MESSAGE=drv: quotes [s=1;i=2;b=3]", "    _TRANSPORT=kernel"}),
            "drv: quotes [s=1;i=2;b=3];");
  LogObjects reader;
  reader.take(date, end_of_log);
  reader.take("    MESSAGE=one", end_of_log);
  EXPECT_EQ(reader.end(end_of_log).date, second + 0.501);
}

TEST(LogObjectsOf, DockerHaveATime) {
  LogObjects reader;
  EXPECT_EQ(reader.take(R"({"log":"drv: one\n","stream":"stdout","time":"2025-06-11T02:15:02.5Z"})", end_of_log)->date,
            second + 0.5);
}

TEST(LogObjectsOf, AnotherKindAreNone) {
  EXPECT_EQ(objects({"PATH=/usr/bin", "MESSAGE=one", "[1, 2]", "drv: [a] b [c]", "drv: state [s=1]"}), "?????");
  EXPECT_EQ(objects({R"({"schema": 1})", R"("status": "pass",)", "name = value", "{not json}", "a=b"}), "?????");
}

}  // namespace
}  // namespace muster::topology
