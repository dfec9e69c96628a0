// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <string>

#include "results/render/formats.hpp"

namespace muster::results {
namespace {

Verdict verdict(Status status, const std::string& reason = "because") {
  Verdict verdict;
  verdict.status = status;
  verdict.metric = "ib_link.state";
  verdict.labels = {{"nic", "mlx5_0"}};
  verdict.reason = reason;
  return verdict;
}

Report report_of(Status status, std::vector<Verdict> verdicts) {
  Report report;
  report.status = status;
  CheckRun run;
  run.check = "ib_link";
  run.host = "gpu-1";
  run.outcome = Outcome::finished;
  run.duration_seconds = 2.5;
  run.status = status;
  run.verdicts = std::move(verdicts);
  report.checks = {run};
  return report;
}

pugi::xml_document junit_of(const Report& report) {
  pugi::xml_document document;
  const auto loaded = document.load_string(format_of("junit").render(report, {}).c_str());
  EXPECT_TRUE(loaded) << loaded.description();
  return document;
}

// The elements of the first case, and the counts of tests, failures, errors and skips.
std::string outcome_of(const Report& report) {
  const auto document = junit_of(report);
  const auto suites = document.child("testsuites");
  std::string found;
  for (const auto& child : suites.child("testsuite").child("testcase").children()) found += child.name();
  for (const char* count : {"tests", "failures", "errors"}) found += std::string(" ") + suites.attribute(count).value();
  int skipped = 0;
  for (const auto& suite : suites.children()) skipped += suite.attribute("skipped").as_int();
  return found + " " + std::to_string(skipped);
}

TEST(Junit, ACaseHasOneOutcome) {
  EXPECT_EQ(outcome_of(report_of(Status::pass, {verdict(Status::pass)})), " 1 0 0 0");
  EXPECT_EQ(outcome_of(report_of(Status::warn, {verdict(Status::warn)})), "system-out 1 0 0 0");
  EXPECT_EQ(outcome_of(report_of(Status::fail, {verdict(Status::fail)})), "failure 1 1 0 0");
  EXPECT_EQ(outcome_of(report_of(Status::unknown, {verdict(Status::unknown)})), "error 1 0 1 0");
}

TEST(Junit, ACaseNamesComponentReasonAndAction) {
  auto failed = verdict(Status::fail, "the port is down");
  failed.fault = "ib_link_down";
  failed.action = "reseat the cable";
  const auto document = junit_of(report_of(Status::fail, {failed}));
  const auto test = document.child("testsuites").child("testsuite").child("testcase");
  EXPECT_STREQ(test.attribute("name").value(), "ib_link.state (nic mlx5_0)");
  EXPECT_STREQ(test.attribute("time").value(), "2.500");
  EXPECT_STREQ(test.child("failure").attribute("type").value(), "ib_link_down");
  EXPECT_STREQ(test.child("failure").text().get(), "ib_link_down: the port is down\naction: reseat the cable");
}

TEST(Junit, ATimeIsAsCommonSchemasWantIt) {
  auto report = report_of(Status::pass, {verdict(Status::pass)});
  report.checks[0].started = "2026-11-21T02:50:10.123Z";
  const auto document = junit_of(report);
  EXPECT_STREQ(document.child("testsuites").child("testsuite").attribute("timestamp").value(), "2026-11-21T02:50:10");
}

TEST(Junit, ACheckThatDidNotEndWellIsAnError) {
  auto report = report_of(Status::unknown, {verdict(Status::pass)});
  report.checks[0].outcome = Outcome::timed_out;
  report.checks[0].reason = "no answer in 30 s";
  const auto document = junit_of(report);
  const auto last = document.child("testsuites").child("testsuite").last_child();
  EXPECT_STREQ(last.child("error").attribute("message").value(), "timed out: no answer in 30 s");
}

TEST(Junit, AReportThatJudgedNothingIsAnError) {
  EXPECT_EQ(outcome_of(report_of(Status::skip, {verdict(Status::skip)})), "skipped 2 0 1 1");
  Report empty;
  EXPECT_EQ(outcome_of(empty), "error 1 0 1 0");
}

TEST(Junit, HoldsNothingThatXmlForbids) {
  for (const std::string hostile :
       {"<b>&\"'", "]]>", "\x01\x1b[31m", "\xff\xfe", "\xEF\xBF\xBF", "\xED\xA0\x80", "a\nb"}) {
    const auto text = format_of("junit").render(report_of(Status::fail, {verdict(Status::fail, hostile)}), {});
    EXPECT_EQ(text.find('\x01'), text.npos);
    EXPECT_EQ(text.find("&#"), text.npos) << text;
    EXPECT_EQ(text.find("\xEF\xBF\xBF"), text.npos);
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(text.c_str())) << hostile;
  }
}

}  // namespace
}  // namespace muster::results
