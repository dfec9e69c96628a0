// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/json/report_json.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "results/values/problems.hpp"
#include "tests/results/random_report.hpp"
#include "tests/results/validated.hpp"
#include "tests/support/files.hpp"

namespace muster::results {
namespace {

nlohmann::json summary_of(const Report& report) {
  const std::string text = summary_json(report, "muster-report.json", "the report");
  EXPECT_LE(text.size(), 4096u);
  return nlohmann::json::parse(text);
}

std::size_t bad_verdicts(const Report& report) {
  std::size_t sum = 0;
  for (const Problem& problem : problems(report)) sum += count(problem);
  return sum;
}

TEST(Summary, NamesTheReportByPathAndHash) {
  const auto summary = summary_of(Report{});
  EXPECT_EQ(summary["report"]["path"], "muster-report.json");
  EXPECT_EQ(summary["report"]["sha256"], sha256("the report"));
  EXPECT_EQ(summary["status"], "unknown");
  EXPECT_EQ(summary["omitted"], 0);
}

TEST(Summary, HoldsAllProblemsOfAnExampleWorstFirst) {
  const auto file = tests::source_folder() / "results/examples/fail.json";
  const auto summary = summary_of(read_report(file));
  EXPECT_EQ(summary["omitted"], 0);
  ASSERT_EQ(summary["problems"].size(), 5u);
  EXPECT_EQ(summary["problems"][0]["fault"], "ib_port_down");
  EXPECT_EQ(summary["problems"][3]["count"], 9);
  EXPECT_EQ(summary["problems"][4]["status"], "warn");
}

TEST(Summary, OfAnyReportFitsAndCountsWhatItLeavesOut) {
  std::mt19937_64 random(9);
  const tests::TemporaryFolder folder;
  for (std::size_t round = 0; round < 60; ++round) {
    const std::size_t longest = round % 2 == 0 ? 20 : 400;
    const Report report =
        tests::random_report(random, {.most = 1 + round / 10, .max_text = longest, .broken_text = true});
    const auto summary = summary_of(report);
    std::size_t listed = summary["omitted"];
    int last = static_cast<int>(Status::fail);
    for (const auto& problem : summary["problems"]) {
      listed += problem["count"].get<std::size_t>();
      const int status = static_cast<int>(*status_from(problem["status"].get<std::string>()));
      EXPECT_LE(status, last);
      last = status;
    }
    EXPECT_EQ(listed, bad_verdicts(report));
    write_atomically(folder.path() / fmt::format("{}.json", round), summary.dump());
  }
  EXPECT_TRUE(tests::is_valid("summary", folder.path()));
}

TEST(Summary, OfTheLongestTextsFits) {
  const std::string quotes(100000, '"');
  Report report;
  report.version = report.run_id = report.summary = report.profile.name = quotes;
  report.hosts = {{quotes, {}}};
  CheckRun& run = report.checks.emplace_back();
  run.check = run.host = quotes;
  Verdict& verdict = run.verdicts.emplace_back();
  verdict.metric = verdict.reason = verdict.fault = verdict.action = quotes;
  for (int label = 0; label < 20; ++label) verdict.labels[quotes + std::to_string(label)] = quotes;
  EXPECT_LE(summary_json(report, quotes, "").size(), 4096u);
}

TEST(Summary, ManyProblemsKeepTheWorst) {
  Report report;
  CheckRun& run = report.checks.emplace_back();
  for (int nic = 0; nic < 1000; ++nic) {
    Verdict& verdict = run.verdicts.emplace_back();
    verdict.status = nic == 999 ? Status::fail : Status::warn;
    verdict.labels = {{"nic", std::to_string(nic)}};
    verdict.reason = fmt::format("symbol errors +{}", nic);
  }
  const auto summary = summary_of(report);
  EXPECT_EQ(summary["problems"][0]["labels"]["nic"], "999");
  EXPECT_GT(summary["problems"].size(), 5u);
  EXPECT_EQ(summary["problems"].size() + summary["omitted"].get<std::size_t>(), 1000u);
}

TEST(Summary, IsReadAsItWasWritten) {
  std::mt19937_64 random(10);
  for (std::size_t round = 0; round < 60; ++round) {
    Report report = tests::random_report(random, {.most = 1 + round / 10, .max_text = 20, .broken_text = true});
    report.summary = fmt::format("round {}", round);
    const auto read = summary_from_json(summary_json(report, "muster-report.json", "the report"));
    EXPECT_EQ(read, muster::results::summary_of(report, read.problems.size()));
    EXPECT_EQ(read.sentence, report.summary);
  }
}

TEST(Summary, ThatWasCutOffIsNone) {
  const auto report = read_report(tests::source_folder() / "results/examples/fail.json");
  const std::string text = summary_json(report, "muster-report.json", "the report");
  EXPECT_EQ(summary_from_json(text).status, Status::fail);
  for (std::size_t size = 0; size < text.size() - 1; ++size) {
    EXPECT_THROW(summary_from_json(text.substr(0, size)), Error) << size;
    EXPECT_THROW(summary_from_json(text.substr(size + 1)), Error) << size;
  }
  EXPECT_THROW(summary_from_json(text + std::string(4096, ' ')), Error);
}

TEST(Summary, OfAMessageThatWasCutTellsStatusHostAndSentence) {
  const auto report = read_report(tests::source_folder() / "results/examples/fail.json");
  const auto text = summary_json(report, "muster-report.json", "the report");
  const auto whole = summary_from_json(text);
  EXPECT_EQ(summary_from_message(text), whole);
  std::size_t problems = 0;
  for (std::size_t size = text.find("\"report\""); size < text.size() - 1; ++size) {
    const auto cut = summary_from_message(text.substr(0, size));
    EXPECT_EQ(cut.status, Status::fail);
    EXPECT_EQ(cut.host, whole.host);
    EXPECT_TRUE(cut.sentence.starts_with(whole.sentence)) << cut.sentence;
    for (std::size_t problem = 0; problem < cut.problems.size(); ++problem)
      EXPECT_EQ(cut.problems[problem], whole.problems[problem]);
    problems = cut.problems.size();
  }
  EXPECT_EQ(problems, whole.problems.size());
  auto lie = text.substr(0, text.size() - 1);
  lie.replace(lie.find(R"("status":"fail")"), 15, R"("status":"pass")");
  EXPECT_THROW(summary_from_message(lie), Error) << "its problems are worse";
  for (const auto* none : {"", "{", "not my day", R"({"schema":1,"tool":{"name":"muster","version":"1"},"run_)"})
    EXPECT_THROW(summary_from_message(none), Error) << none;
}

TEST(Summary, WithAFieldThatTheSchemaRefusesIsNone) {
  const auto report = read_report(tests::source_folder() / "results/examples/fail.json");
  const auto good = nlohmann::json::parse(summary_json(report, "muster-report.json", "the report"));
  const auto refused = [&](const char* pointer, const nlohmann::json& value) {
    auto json = good;
    json[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_THROW(summary_from_json(json.dump()), Error) << pointer << " " << value;
  };
  refused("/schema", 2);
  refused("/status", "splendid");
  refused("/status", nullptr);
  refused("/status", "pass");
  refused("/tool/name", "other");
  refused("/extra", 1);
  refused("/started", "yesterday");
  refused("/host_count", -1);
  refused("/omitted", 0.5);
  refused("/report/sha256", "abc");
  refused("/selection/tier", "slow");
  refused("/problems", "none");
  refused("/problems/0/status", "pass");
  refused("/problems/0/count", 0);
  refused("/problems/0/labels/gpu", 3);
  refused("/problems/0/labels", {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}, {"e", ""}, {"f", ""}, {"g", ""}});
  for (const auto& [name, value] : good.items()) {
    if (name == "selection") continue;  // which older ones do not have
    auto json = good;
    json.erase(name);
    EXPECT_THROW(summary_from_json(json.dump()), Error) << name;
  }
}

}  // namespace
}  // namespace muster::results
