// SPDX-License-Identifier: Apache-2.0
#include "results/json/report_json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "tests/results/random_report.hpp"
#include "tests/results/validated.hpp"
#include "tests/support/files.hpp"

namespace muster::results {
namespace {

using tests::random_report;

std::string example(std::string_view name) {
  return read_text(tests::source_folder() / "results/examples" / fmt::format("{}.json", name));
}

std::string complaint(std::string_view text) {
  try {
    report_from_json(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  const auto at = text.find(old);
  EXPECT_NE(at, text.npos) << old;
  return text.replace(at, old.size(), by);
}

TEST(ReportJson, ExamplesAreWrittenAsTheyWereRead) {
  for (const Status status : {Status::pass, Status::warn, Status::fail, Status::unknown, Status::skip}) {
    const std::string text = example(to_text(status));
    const Report report = report_from_json(text);
    EXPECT_EQ(report.status, status);
    EXPECT_EQ(to_json(report), text);
  }
  const std::string recorded = example("gpu");
  EXPECT_EQ(to_json(report_from_json(recorded)), recorded);
}

TEST(ReportJson, EveryReportSurvivesTheRoundTrip) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 500; ++round) {
    const Report report = random_report(random, {});
    EXPECT_EQ(report_from_json(to_json(report)), report) << "round " << round;
  }
  EXPECT_EQ(report_from_json(to_json(Report{})), Report{});
}

TEST(ReportJson, RandomReportsAreValid) {
  const tests::TemporaryFolder folder;
  std::mt19937_64 random(6);
  for (int round = 0; round < 50; ++round)
    write_report(random_report(random, {.broken_text = true}), folder.path() / fmt::format("{}.json", round));
  EXPECT_TRUE(tests::is_valid("report", folder.path()));
  write_atomically(folder.path() / "broken.json", "{}");
  EXPECT_FALSE(tests::is_valid("report", folder.path()));
}

TEST(ReportJson, BytesThatAreNotUtf8AreReplacedAndNeverThrow) {
  Report report;
  report.summary = "firmware \xff\xfe 1";
  EXPECT_EQ(report_from_json(to_json(report)).summary, "firmware \uFFFD\uFFFD 1");
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::string text = to_json(random_report(random, {.broken_text = true}));
    EXPECT_EQ(to_json(report_from_json(to_json(report_from_json(text)))), to_json(report_from_json(text)));
  }
}

TEST(ReportJson, BrokenVariantsOfAnExampleAreRefusedByTheirField) {
  const auto healthy = nlohmann::json::parse(example("fail"));
  const auto variants = nlohmann::json::parse(read_text(tests::source_folder() / "tests/results/broken_reports.json"));
  EXPECT_GE(variants.size(), 30u);
  for (const auto& variant : variants) {
    const std::string what = complaint(healthy.patch(nlohmann::json::array({variant})).dump());
    const std::string path = variant["path"];
    const std::string named = variant["op"] == "remove" ? path.substr(0, path.rfind('/')) : path;
    EXPECT_TRUE(what.starts_with((named.empty() ? "/" : named) + ": ") || what.starts_with(named + "/"))
        << variant["name"] << " gave: " << what;
  }
}

TEST(ReportJson, ErrorsSayWhatTheFieldMayBe) {
  EXPECT_EQ(complaint(replaced(example("fail"), R"("outcome": "finished")", R"("outcome": "flying")")),
            "/checks/0/outcome: 'flying' is not one of pending, running, finished, skipped, not_built, error, crashed, "
            "timed_out, not_started, out_of_budget, interrupted, in_use");
  EXPECT_EQ(complaint(replaced(example("pass"), R"("hostname": )", R"("a/b~c": 1, "hostname": )")),
            "/hosts/0/fingerprint/a~1b~0c: must be a text, not number");
  EXPECT_EQ(complaint("{}"), "/: the field 'schema' is missing");
}

TEST(ReportJson, WholeNumbersMayBeSpelledWithAFraction) {
  EXPECT_EQ(complaint(replaced(example("pass"), R"("attempt": 1)", R"("attempt": 2.0)")), "");
  EXPECT_EQ(complaint(replaced(example("pass"), R"("schema": 1)", R"("schema": 1.0)")), "");
}

TEST(ReportJson, SyntaxErrorsNameTheLine) {
  EXPECT_TRUE(complaint("{\n\"schema\": 1,\n!").starts_with("line 3: this is not JSON: ")) << complaint("{\n\n!");
  EXPECT_TRUE(complaint("").starts_with("line 1: this is not JSON: ")) << complaint("");
  EXPECT_EQ(complaint(replaced(example("pass"), R"("duration_seconds": 3.61)", R"("duration_seconds": 1e999)")),
            "line 9: this is not JSON: the number 1e999 is not finite");
  EXPECT_NE(complaint(replaced(example("pass"), R"("duration_seconds": 3.61)", R"("duration_seconds": NaN)")), "");
  EXPECT_NE(complaint(example("pass") + "{}"), "");
}

TEST(ReportJson, EveryPrefixOfAReportIsRefused) {
  const std::string text = example("skip");
  for (std::size_t size = 0; size + 2 < text.size(); size += 7) EXPECT_NE(complaint(text.substr(0, size)), "") << size;
}

TEST(ReportJson, RandomChangesOfAReportAreReadOrRefusedButNothingElse) {
  const std::string text = example("fail");
  std::mt19937_64 random(8);
  for (int round = 0; round < 2000; ++round) {
    std::string changed = text;
    for (int change = 0; change < 3; ++change) changed[random() % changed.size()] = R"({}[]",:0-.e)"[random() % 11];
    complaint(changed);
  }
}

TEST(ReportJson, NumbersThatAreNotFiniteAreNotWritten) {
  Report report;
  report.checks.emplace_back().measurements.push_back(
      {"m.x", Quantity{std::numeric_limits<double>::quiet_NaN(), Unit::second}, {}, {}, {}, {}});
  try {
    to_json(report);
    FAIL() << "it was written";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/checks/0/measurements/0/value/value: this number is not finite");
  }
}

TEST(ReportJson, WhatTheSchemaRefusesIsNotWritten) {
  Report wrong_time;
  wrong_time.started = "yesterday";
  EXPECT_THROW(to_json(wrong_time), Error);
  Report negative;
  negative.checks.emplace_back().duration_seconds = -1;
  EXPECT_THROW(to_json(negative), Error);
  Report never;
  never.checks.emplace_back().attempt = 0;
  EXPECT_THROW(to_json(never), Error);
}

TEST(ReportJson, FilesAreNamedInErrors) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "report.json";
  write_atomically(file, "{}");
  try {
    read_report(file);
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), file.string() + ": /: the field 'schema' is missing");
  }
  EXPECT_THROW(read_report(folder.path() / "none.json"), Error);
  write_report(Report{}, file);
  EXPECT_EQ(read_report(file), Report{});
}

}  // namespace
}  // namespace muster::results
