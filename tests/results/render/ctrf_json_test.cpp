// SPDX-License-Identifier: Apache-2.0
#include "results/render/ctrf_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/render/formats.hpp"

namespace muster::results {
namespace {

Report report_of(Status status) {
  Report report;
  report.started = "2026-11-21T02:50:10.123Z";
  report.duration_seconds = 2.5;
  report.status = status;
  CheckRun run;
  run.check = "ib_link";
  run.outcome = Outcome::finished;
  run.duration_seconds = 1.25;
  run.status = status;
  Verdict verdict;
  verdict.status = status;
  verdict.metric = "ib_link.state";
  verdict.reason = "because";
  run.verdicts = {verdict, verdict};
  report.checks = {run};
  return report;
}

nlohmann::json ctrf_of(const Report& report) {
  return nlohmann::json::parse(format_of("ctrf").render(report, {})).at("results");
}

TEST(Ctrf, KnowsNoErrorAndKeepsTheWordOfMuster) {
  const std::map<Status, std::pair<std::string, std::string>> wanted{{Status::pass, {"passed", "pass"}},
                                                                     {Status::warn, {"passed", "warn"}},
                                                                     {Status::unknown, {"failed", "unknown"}},
                                                                     {Status::fail, {"failed", "fail"}}};
  for (const auto& [status, words] : wanted) {
    const auto results = ctrf_of(report_of(status));
    EXPECT_EQ(results["tests"][0]["status"], words.first);
    EXPECT_EQ(results["tests"][0]["rawStatus"], words.second);
    EXPECT_EQ(results["summary"][words.first], 2);
  }
}

TEST(Ctrf, TheTimesOfCasesAddUp) {
  const auto results = ctrf_of(report_of(Status::pass));
  EXPECT_EQ(results["tests"][0]["duration"], 1250);
  EXPECT_EQ(results["tests"][1]["duration"], 0);
  EXPECT_EQ(results["tests"][0]["suite"], nlohmann::json::array({"ib_link"}));
  EXPECT_EQ(results["summary"]["start"], 1795229410000);
  EXPECT_EQ(results["summary"]["stop"], 1795229412500);
}

TEST(Ctrf, AReportThatJudgedNothingFailed) {
  const auto results = ctrf_of({});
  EXPECT_EQ(results["summary"]["failed"], 1);
  EXPECT_EQ(results["tests"][0]["message"], "did not finish");
}

TEST(Ctrf, BytesThatAreNoTextBreakNothing) {
  auto report = report_of(Status::fail);
  report.checks[0].verdicts[0].reason = "\xff\x01";
  EXPECT_EQ(ctrf_of(report)["tests"][0]["message"], "? ");
}

}  // namespace
}  // namespace muster::results
