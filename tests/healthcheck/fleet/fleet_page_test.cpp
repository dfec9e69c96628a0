// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <regex>
#include <set>
#include <string>

#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/fleet/html/fleet_page.hpp"
#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

constexpr std::size_t most_of_page = 3'000'000;  // bytes

std::size_t times_in(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

FleetReport fleet_of(std::size_t nodes, const std::string& text) {
  FleetReport report{.version = "1",
                     .run_id = "r",
                     .made = "2026-11-30T06:00:00Z",
                     .since = "2026-11-29T06:00:00Z",
                     .status = Status::fail,
                     .summary = text};
  report.checks = {"ib_link", text};
  for (std::size_t number = 0; number < nodes; ++number) {
    FleetNode node{.name = fmt::format("{}{}", text, number), .status = number % 3 == 0 ? Status::fail : Status::pass};
    node.checks = number % 3 == 0 ? "fp" : "pp";
    node.before = "pass";
    if (number % 3 == 0)
      node.problems = {{.status = Status::fail,
                        .check = "ib_link",
                        .metric = text,
                        .labels = {{text, text}},
                        .reason = fmt::format("{} {}", number, text),
                        .action = text}};
    report.nodes.push_back(std::move(node));
  }
  MetricSpread spread{
      .profile = text, .machine = text, .metric = text, .unit = results::Unit::second, .labels = {{text, text}}};
  spread.quantiles = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  spread.outliers = {{text, {{text, text}}, 9}};
  spread.slow = 1;
  report.metrics = {spread};
  report.previous = Previous{"p", "2026-11-29T06:00:00Z"};
  report.gone = {text};
  report.unreadable = {{text, text}};
  return report;
}

void expect_sound(const std::string& page) {
  EXPECT_LE(page.size(), most_of_page);
  EXPECT_EQ(times_in(page, "<script"), 2U);  // the data and the one script of the page
  EXPECT_EQ(times_in(page, "</script"), 2U);
  EXPECT_EQ(times_in(page, "script-src 'sha256-"), 1U);
  const std::regex id(" id=\"([^\"]*)\"");
  std::set<std::string> ids;
  for (std::sregex_iterator at(page.begin(), page.end(), id), end; at != end; ++at)
    EXPECT_TRUE(ids.insert((*at)[1]).second) << (*at)[1];
  for (const std::string_view element : {"section", "table", "details", "svg", "ol", "ul"})
    EXPECT_EQ(times_in(page, "<" + std::string(element) + ">") + times_in(page, "<" + std::string(element) + " "),
              times_in(page, "</" + std::string(element) + ">"))
        << element;
}

TEST(FleetPage, SaysWhatIsWrongBeforeAllElse) {
  const auto page = to_html(fleet_of(9, "gpu-"));
  expect_sound(page);
  EXPECT_LT(page.find("What needs attention"), page.find("Nodes and checks"));
  for (const auto* words :
       {"3 nodes: ", "What changed since", "How values are spread", "Coverage", "Files that are no report"})
    EXPECT_NE(page.find(words), page.npos) << words;
}

TEST(FleetPage, ExecutesNothingOfAnAttacker) {
  for (const std::string& text :
       {std::string("</script><script>alert(1)</script>"), std::string("\"><img src=x onerror=\"alert(1)\">"),
        std::string("\x00\xff\x1b", 3), std::string(65536, '<')}) {
    SCOPED_TRACE(text.substr(0, 40));
    const auto page = to_html(fleet_of(30, text));
    expect_sound(page);
    EXPECT_EQ(page.find("<img"), page.npos);
  }
}

TEST(FleetPage, OfTenThousandNodesStaysSmall) {
  const auto page = to_html(fleet_of(10'000, "a-name-of-a-node-that-is-rather-long-"));
  expect_sound(page);
}

TEST(FleetPage, OfNoNodesIsSound) { expect_sound(to_html(FleetReport{.summary = "nothing was to be tested"})); }

TEST(FleetReport, KeepsHowChecksEndedAndHowValuesLie) {
  const auto report = fleet_of(6, "x");
  const auto text = to_json(report);
  EXPECT_EQ(to_json(fleet_report_from_json(text)), text);
  auto lie = report;
  lie.nodes.front().checks = "f";
  EXPECT_THROW(fleet_report_from_json(to_json(lie)), results::Error);
}

TEST(Quantiles, AreValuesInTheirOrder) {
  std::vector<double> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(i);
  EXPECT_EQ(quantiles_of(values), (std::array<double, 9>{0, 10, 50, 250, 500, 750, 950, 990, 1000}));
  EXPECT_EQ(quantiles_of(std::vector<double>{7}), (std::array<double, 9>{7, 7, 7, 7, 7, 7, 7, 7, 7}));
}

TEST(Rounded, KeepsFiveDigits) {
  EXPECT_DOUBLE_EQ(rounded(123456789), 123460000);
  EXPECT_NEAR(rounded(1.2345678e-6), 1.2346e-6, 1e-15);
  EXPECT_EQ(rounded(0), 0);
}

}  // namespace
}  // namespace muster::healthcheck::fleet
