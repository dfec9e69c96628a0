// SPDX-License-Identifier: Apache-2.0
#include "results/render/csv.hpp"

#include <gtest/gtest.h>

#include "results/render/formats.hpp"

namespace muster::results {
namespace {

std::string cell(const Csv::Cell& given) {
  Csv csv("a");
  csv.row({given});
  return csv.text().substr(3);
}

TEST(Csv, ATextThatASpreadsheetWouldRunIsQuoted) {
  for (const std::string text : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\uFF1D1"}) {
    const auto made = cell(text);
    EXPECT_TRUE(made.starts_with("\"'")) << made;
    EXPECT_TRUE(made.ends_with("\"\r\n")) << made;
  }
}

TEST(Csv, ANumberStaysANumber) {
  EXPECT_EQ(cell(-1.5), "-1.5\r\n");
  EXPECT_EQ(cell(3e9), "3000000000\r\n");
}

TEST(Csv, CommasQuotesAndLinesStayInTheirCell) {
  EXPECT_EQ(cell("a,b"), "\"a,b\"\r\n");
  EXPECT_EQ(cell("a\"b"), "\"a\"\"b\"\r\n");
  EXPECT_EQ(cell("a\r\nb"), "a  b\r\n");
  EXPECT_EQ(cell("a;=b"), "\"a;=b\"\r\n");  // the separator of other countries
}

TEST(Csv, HasARowForEachFactAndEachExpectation) {
  Report report;
  report.hosts = {{.name = "gpu-1"}};
  CheckRun run;
  run.check = "cpu";
  run.host = "gpu-1";
  run.status = Status::fail;
  run.measurements = {{.metric = "cpu.speed", .value = Quantity{0.5}, .labels = {{"cpu", "3"}}},
                      {.metric = "cpu.governor", .value = "powersave", .labels = {}}};
  run.evidence = {{.metric = "cpu.throttle", .labels = {}, .before = 1, .after = 4},
                  {.metric = "cpu.still", .labels = {}, .before = 1, .after = 1}};
  Verdict slow;
  slow.status = Status::fail;
  slow.metric = "cpu.speed";
  slow.labels = {{"cpu", "3"}, {"host", "gpu-1"}};
  slow.value = Quantity{0.5};
  slow.fault = "cpu_slow";
  Verdict missing;
  missing.metric = "cpu.usable";
  run.verdicts = {slow, missing};
  report.checks = {run};
  const auto text = format_of("csv").render(report, {});
  EXPECT_NE(text.find("fact,gpu-1,cpu,1,cpu.speed,cpu 3,0.5,1,fail,,,cpu_slow,,\r\n"), text.npos) << text;
  EXPECT_NE(text.find("fact,gpu-1,cpu,1,cpu.governor,,powersave,,,,,,,\r\n"), text.npos) << text;
  EXPECT_NE(text.find("counter,gpu-1,cpu,1,cpu.throttle,,3,1,"), text.npos) << text;
  EXPECT_EQ(text.find("cpu.still"), text.npos) << text;
  EXPECT_NE(text.find("expectation,gpu-1,cpu,1,cpu.usable,,,,unknown,"), text.npos) << text;
}

}  // namespace
}  // namespace muster::results
