// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/node_report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "results/error.hpp"
#include "results/report_json.hpp"
#include "tests/results/random_report.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck::fleet {
namespace {

results::Report example(const std::string& name) {
  return results::read_report(tests::source_folder() / "results/examples" / (name + ".json"));
}

TEST(NodeReport, SaysWhatTheWholeReportSays) {
  NodeReportReader reader;
  std::mt19937_64 random(11);
  for (std::size_t round = 0; round < 200; ++round) {
    auto report = tests::random_report(random, {.most = 1 + round / 20, .most_text = 20});
    report.started = "2026-11-25T03:00:00.123Z";
    report.hosts = {{.name = fmt::format("gpu-{}", round), .fingerprint = {}}};
    const auto read = reader.read(results::to_json(report)).value();
    EXPECT_TRUE(read.is_whole);
    EXPECT_EQ(read.summary, results::summary_of(report, 8));
  }
}

TEST(NodeReport, SaysWhatASummarySays) {
  NodeReportReader reader;
  const auto report = example("fail");
  const auto read = reader.read(results::summary_json(report, "report.json", "the report")).value();
  EXPECT_FALSE(read.is_whole);
  EXPECT_EQ(read.summary, results::summary_of(report, 8));
}

TEST(NodeReport, ThatWasCutOffIsNone) {
  NodeReportReader reader;
  const auto report = example("warn");
  for (const auto& text : {results::to_json(report), results::summary_json(report, "report.json", "the report")})
    for (std::size_t size = 0; size + 2 < text.size(); size += 7)
      EXPECT_THROW(reader.read(text.substr(0, size)), results::Error) << size;
}

TEST(NodeReport, OfSomethingElseIsNone) {
  NodeReportReader reader;
  for (const auto* text : {"", "null", "[]", "{}", R"({"tool": {"name": "other"}})", R"({"tool": {"name": "muster"}})"})
    EXPECT_THROW(reader.read(text), results::Error) << text;
  auto report = example("pass");
  report.hosts.push_back({.name = "another", .fingerprint = {}});
  EXPECT_THROW(reader.read(results::to_json(report)), results::Error) << "a job of several hosts";
  report.hosts.resize(1);
  report.started = "";
  EXPECT_THROW(reader.read(results::to_json(report)), results::Error) << "it never started";
}

// What is changed in a report's text, and how.
struct Change {
  std::string from, to;
};

TEST(NodeReport, IsReadWhereTheStrictReaderReadsIt) {
  const auto text = results::to_json(example("fail"));
  NodeReportReader reader;
  const auto reads = [](const auto& read) {
    try {
      read();
      return true;
    } catch (const results::Error&) {
      return false;
    }
  };
  for (const auto& [from, to] :
       {Change{"", ""}, Change{"{", "\xef\xbb\xbf{"}, Change{R"("status": "fail")", R"("status": "pass")"},
        Change{R"("status": "fail",)", R"("status": "fail", "status": "pass",)"},
        Change{R"("status": "fail",)", R"("status": "fail", "flying": 1,)"},
        Change{R"("checks": [)", R"("checks": [], "removed": [)"},
        Change{R"("reason": ")", R"("reason": "", "reason": ")"},
        Change{R"("duration_seconds": )", R"("duration_seconds": -1)"}, Change{R"("tier": ")", R"("tier": "slow)"}}) {
    auto changed = text;
    ASSERT_NE(changed.find(from), std::string::npos) << from;
    changed.replace(changed.find(from), from.size(), to);
    const bool strictly = reads([&] { results::report_from_json(changed); });
    EXPECT_EQ(strictly, reads([&] { reader.read(changed); })) << from << " -> " << to;
    EXPECT_EQ(strictly, from.empty()) << from << " -> " << to;
  }
}

TEST(NodeReport, OfAFleetIsPassedOver) {
  NodeReportReader reader;
  EXPECT_FALSE(reader.read(R"({"schema": 1, "tool": {"name": "muster", "version": "1"}, "nodes": []})"));
}

}  // namespace
}  // namespace muster::healthcheck::fleet
