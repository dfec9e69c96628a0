// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <pugixml.hpp>
#include <random>
#include <regex>
#include <set>
#include <string>

#include "results/html/picture.hpp"
#include "results/json/report_json.hpp"
#include "results/render/formats.hpp"
#include "tests/results/random_report.hpp"
#include "tests/support/files.hpp"

namespace muster::results::html {
namespace {

constexpr std::size_t most_of_page = 400'000;  // bytes

std::string page_of(const Report& report) { return format_of("html").render(report, {}); }

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

void expect_sound(const std::string& page) {
  EXPECT_LE(page.size(), most_of_page);
  EXPECT_EQ(count(page, "<script"), 0U);
  EXPECT_EQ(count(page, "onerror=\""), 0U);
  EXPECT_EQ(count(page, "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"), 1U);
  const std::regex id(" id=\"([^\"]*)\"");
  std::set<std::string> ids;
  for (std::sregex_iterator at(page.begin(), page.end(), id), end; at != end; ++at)
    EXPECT_TRUE(ids.insert((*at)[1]).second) << (*at)[1];
  EXPECT_EQ(count(page, "<figure"), count(page, "The numbers of this picture"));
  for (const std::string_view element :
       {"section", "figure", "details", "table", "tbody", "tr", "main", "header", "svg", "g"})
    EXPECT_EQ(count(page, "<" + std::string(element) + ">") + count(page, "<" + std::string(element) + " "),
              count(page, "</" + std::string(element) + ">"))
        << element;
}

// A node with a curve, times, devices, pairs and an incident, each of which has this in its texts.
Report drawn_of(const std::string& text) {
  const auto fact = [](const std::string& metric, const Value& value, const Labels& labels) {
    Measurement measurement{
        .metric = metric, .value = value, .labels = labels, .summary = {}, .stopping = {}, .limit = {}};
    if (const auto* quantity = std::get_if<Quantity>(&value); quantity != nullptr && quantity->unit != Unit::one)
      measurement.summary = summarize({quantity->unit, {quantity->value, 2 * quantity->value, 3 * quantity->value}});
    return measurement;
  };
  CheckRun run;
  run.check = "kernel_log";
  run.host = text;
  run.outcome = Outcome::finished;
  for (const auto* size : {"8 B", "1 KiB", "1 MiB"})
    run.measurements.push_back(
        fact("allreduce.bus_bandwidth", Quantity{4e11, Unit::byte_per_second}, {{"size", size}, {"type", text}}));
  run.measurements.push_back(fact("ib_latency.latency", Quantity{1e-6, Unit::second}, {{"nic", text}}));
  run.measurements.push_back(fact("inventory.gpu_model", text, {{"gpu", text}, {"pci", text}}));
  run.measurements.push_back(
      fact("host_allreduce.pair_bandwidth", Quantity{1e9, Unit::byte_per_second}, {{"host", text + "a b"}}));
  run.measurements.push_back(fact("kernel_log.count", Quantity{1, Unit::one}, {{"code", text}}));
  run.measurements.push_back(fact("kernel_log.began", "100.0 s after boot", {{"code", text}}));
  run.verdicts.push_back({.status = Status::fail,
                          .metric = "ib_latency.latency",
                          .labels = {{"nic", text}},
                          .reason = text,
                          .fault = text,
                          .action = text});
  run.status = Status::fail;
  Report report;
  report.hosts.push_back({text, {{text, text}}});
  report.checks = {run};
  report.status = Status::fail;
  report.summary = text;
  return report;
}

TEST(Page, OfEachExampleIsSound) {
  for (const auto* name : {"pass", "warn", "fail", "unknown", "skip", "gpu"}) {
    SCOPED_TRACE(name);
    const auto report = read_report(tests::source_folder() / "results/examples" / (std::string(name) + ".json"));
    const auto page = page_of(report);
    expect_sound(page);
    EXPECT_LT(page.find("What needs attention"), page.find("<h2 id=\"checks\">"));
    if (report.status == Status::fail) {
      EXPECT_LT(page.find("the link is DOWN"), page.find("<h2 id=\"checks\">"));
    }
  }
}

TEST(Page, OfAnyReportIsSound) {
  std::mt19937_64 random(51);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    expect_sound(page_of(tests::random_report(random, {.most = 5, .max_text = 200, .broken_text = true})));
  }
}

TEST(Page, ExecutesNothingOfAnAttacker) {
  for (const std::string& text :
       {std::string("<script>alert(1)</script>"), std::string("\"><img src=x onerror=\"alert(1)\">"),
        std::string("</style><script>"), std::string("\x00\xff\x1b]\xEF\xBF\xBF", 7), std::string(65536, '<')}) {
    SCOPED_TRACE(text.substr(0, 40));
    const auto report = drawn_of(text);
    expect_sound(page_of(report));
    EXPECT_GE(pictures(report).size(), 4U);
  }
}

TEST(Pictures, AreXmlWithTheirNumbersAndNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const auto& picture : pictures(drawn_of("<&\"'>"))) {
    EXPECT_TRUE(names.insert(picture.name).second) << picture.name;
    EXPECT_FALSE(picture.rows.empty()) << picture.name;
    for (const auto& row : picture.rows) EXPECT_EQ(row.size(), picture.head.size()) << picture.name;
    pugi::xml_document document;
    const auto loaded = document.load_string(svg_file(picture).c_str());
    EXPECT_TRUE(loaded) << picture.name << ": " << loaded.description();
    EXPECT_TRUE(document.child("svg").child("title")) << picture.name;
  }
  EXPECT_EQ(names.size(), 5U);
}

TEST(Pictures, OfAReportWithoutSuchFactsAreNone) { EXPECT_TRUE(pictures({}).empty()); }

TEST(Page, OfAHundredThousandNumbersIsNoLarger) {
  auto report = drawn_of("x");
  auto& run = report.checks.front();
  for (int i = 0; i < 20'000; ++i) {
    run.measurements.push_back({.metric = "ib_link.rate",
                                .value = Quantity{1.0 * i, Unit::hertz},
                                .labels = {{"nic", std::to_string(i)}},
                                .summary = {},
                                .stopping = {},
                                .limit = {}});
    run.verdicts.push_back({.status = Status::fail,
                            .metric = "ib_link.rate",
                            .labels = {{"nic", std::to_string(i)}},
                            .reason = std::string(2000, 'r')});
  }
  const auto page = page_of(report);
  expect_sound(page);
  EXPECT_NE(page.find("which muster report --all shows"), page.npos);
}

}  // namespace
}  // namespace muster::results::html
