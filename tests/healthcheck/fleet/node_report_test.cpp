// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/node_report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "healthcheck/fleet/read_report.hpp"
#include "results/json/report_json.hpp"
#include "results/system/error.hpp"
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
    auto report =
        tests::random_report(random, {.most = 1 + round / 20, .max_text = 20, .host = fmt::format("gpu-{}", round)});
    report.started = "2026-11-25T03:00:00.123Z";
    const auto read = reader.read(results::to_json(report)).value();
    EXPECT_TRUE(read.is_whole);
    EXPECT_EQ(read.summary, results::summary_of(report, 8));
  }
}

TEST(RateText, KeepsItsPartsApartWhateverIsInThem) {
  using namespace std::string_view_literals;
  const std::array parts = {"p"sv, "m"sv, "c\0d"sv, "c.rate"sv, "B/s"sv, "kernel"sv, "\0triad"sv};
  const auto kind = kind_from(joined(parts));
  EXPECT_EQ(kind.check, "c d");
  EXPECT_EQ(kind.unit, results::Unit::byte_per_second);
  EXPECT_EQ(kind.labels, (results::Labels{{"kernel", " triad"}}));
}

// What the fleet's own reader leaves to the strict one takes ten times as long.
TEST(NodeReport, ThatMusterWroteIsReadQuickly) {
  simdjson::dom::parser parser;
  Facts facts;
  RateReader rates;
  std::mt19937_64 random(12);
  for (std::size_t round = 0; round < 100; ++round) {
    auto report = tests::random_report(random, {.most = 6, .max_text = 20});
    for (auto& run : report.checks) run.hosts.clear();
    EXPECT_TRUE(quickly_read(parser.parse(results::to_json(report)), facts, rates)) << results::to_json(report);
  }
  for (const auto* name : {"pass", "warn", "unknown", "fail", "skip", "gpu"})
    EXPECT_TRUE(quickly_read(parser.parse(results::to_json(example(name))), facts, rates)) << name;
}

// Kind, component and value of each rate, whatever numbers a reader gives them.
std::vector<std::tuple<std::string, std::string, double>> rates_of(NodeReportReader& reader, const std::string& json) {
  std::vector<std::tuple<std::string, std::string, double>> found;
  const auto read = reader.read(json).value();
  for (const auto& rate : read.rates)
    found.emplace_back(reader.texts().kinds[rate.kind], reader.texts().components[rate.component], rate.value);
  return found;
}

TEST(NodeReport, HasItsOwnRatesWhateverWasReadBefore) {
  std::mt19937_64 random(13);
  NodeReportReader used;
  std::size_t rates = 0;
  for (std::size_t round = 0; round < 200; ++round) {
    auto report = tests::random_report(random, {.most = 4, .max_text = 3, .host = "gpu-1"});
    report.started = "2026-11-25T03:00:00Z";
    for (auto& run : report.checks) run.attempt = 1;
    NodeReportReader fresh;
    const auto expected = rates_of(fresh, results::to_json(report));
    EXPECT_EQ(rates_of(used, results::to_json(report)), expected);
    rates += expected.size();
    for (auto& run : report.checks) {
      run.component = {{"gpu", "9"}};
      for (auto& fact : run.measurements) fact.labels["kernel"] = "copy";
      for (auto& verdict : run.verdicts) verdict.value.reset();
    }
    NodeReportReader other;
    EXPECT_EQ(rates_of(used, results::to_json(report)), rates_of(other, results::to_json(report)));
  }
  EXPECT_GT(rates, 50U);
}

// The labels of a rate are known from the report before, unless they are others.
TEST(NodeReport, WithLabelsThatAreNoTextsIsRefusedAfterAGoodOne) {
  const auto good = results::to_json(example("gpu"));
  for (const auto& labels : std::vector<nlohmann::ordered_json>{nullptr, nlohmann::ordered_json::array(), 0}) {
    auto bad = nlohmann::ordered_json::parse(good);
    std::size_t rates = 0;
    for (auto& run : bad["checks"])
      for (auto& fact : run["measurements"]) {
        if (!fact.contains("summary") || fact["labels"].empty()) continue;
        auto& place = ++rates % 2 == 0 ? fact["labels"] : fact["labels"].front();
        const auto before = std::exchange(place, labels);
        NodeReportReader reader;
        EXPECT_NO_THROW(reader.read(good));
        EXPECT_THROW(reader.read(bad.dump()), results::Error) << labels;
        EXPECT_NO_THROW(reader.read(good));
        place = before;
      }
    EXPECT_GE(rates, 4U);
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
  for (const auto& [from, to] : {Change{"", ""},
                                 Change{"{", "\xef\xbb\xbf{"},
                                 Change{R"("status": "fail")", R"("status": "pass")"},
                                 Change{R"("status": "fail",)", R"("status": "fail", "status": "pass",)"},
                                 Change{R"("status": "fail",)", R"("status": "fail", "flying": 1,)"},
                                 Change{R"("checks": [)", R"("checks": [], "removed": [)"},
                                 Change{R"("reason": ")", R"("reason": "", "reason": ")"},
                                 Change{R"("duration_seconds": )", R"("duration_seconds": -1)"},
                                 Change{R"("tier": ")", R"("tier": "slow)"},
                                 Change{R"("attempt": 1)", R"("attempt": 1.5)"},
                                 Change{R"("attempt": 1)", R"("attempt": 18446744073709551616)"},
                                 Change{R"("measurements": [)", R"("measurements": [{}, )"},
                                 Change{R"("measurements": [)", R"("measurements": [1, )"},
                                 Change{R"("unit": ")", R"("unit": "x)"},
                                 Change{R"("n": )", R"("n": -)"},
                                 Change{R"("median": )", R"("median": 1)"},
                                 Change{R"("low": )", R"("lower": )"},
                                 Change{R"("low": )", R"("high": 1, "low": )"},
                                 Change{R"("before": )", R"("before": "1", "x": )"},
                                 Change{R"("fingerprint": {)", R"("fingerprint": {"a": 1, )"},
                                 Change{R"("environment": {)", R"("environment": {"a": "b", "a": "c", )"},
                                 Change{R"("nic": ")", R"("nic": "x)"},
                                 Change{R"("hosts": [)", R"("nodes": [], "hosts": [)"}}) {
    auto changed = text;
    ASSERT_NE(changed.find(from), std::string::npos) << from;
    changed.replace(changed.find(from), from.size(), to);
    const bool strictly = reads([&] { results::report_from_json(changed); });
    EXPECT_EQ(strictly, reads([&] { reader.read(changed); })) << from << " -> " << to;
    EXPECT_EQ(strictly, from.empty()) << from << " -> " << to;
  }
}

TEST(NodeReport, IsReadInAnySpellingAndOrder) {
  NodeReportReader reader;
  const auto text = results::to_json(example("fail"));
  const auto read = reader.read(text).value();
  for (const auto& [from, to] :
       {Change{R"("schema": 1)", R"("schema": 1.0e0)"}, Change{R"("attempt": 1)", R"("attempt": 1.0)"},
        Change{R"("check")", R"("\u0063heck")"}}) {
    auto changed = text;
    changed.replace(changed.find(from), from.size(), to);
    const auto again = reader.read(changed).value();
    EXPECT_EQ(again.summary, read.summary) << to;
    EXPECT_EQ(again.rates.size(), read.rates.size()) << to;
  }
}

TEST(NodeReport, OfAFleetIsPassedOver) {
  NodeReportReader reader;
  EXPECT_FALSE(reader.read(R"({"schema": 1, "tool": {"name": "muster", "version": "1"}, "nodes": []})"));
}

}  // namespace
}  // namespace muster::healthcheck::fleet
