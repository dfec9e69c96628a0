// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "results/json/report_json.hpp"
#include "results/render/catalogue.hpp"
#include "results/render/exposition.hpp"
#include "results/render/formats.hpp"
#include "tests/support/files.hpp"

namespace muster::results {
namespace {

Report report_of_bandwidths(std::size_t numbers) {
  Report report;
  report.started = "2026-11-21T02:50:10.123Z";
  report.duration_seconds = 5;
  report.status = Status::pass;
  report.hosts = {{.name = "gpu-1"}};
  CheckRun run;
  run.check = "host_memory";
  run.host = "gpu-1";
  for (std::size_t at = 0; at < numbers; ++at)
    run.measurements.push_back({.metric = "host_memory.bandwidth",
                                .value = Quantity{1e9, Unit::byte_per_second},
                                .labels = {{"numa", std::to_string(at)}}});
  report.checks = {run};
  return report;
}

std::string openmetrics(const Report& report, const View& view = {}) {
  return format_of("openmetrics").render(report, view);
}

std::size_t series(const std::string& text) {
  std::size_t lines = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) lines += text[at] == '#' ? 0 : 1;
  return lines;
}

TEST(OpenMetrics, SaysWhatTheCatalogueSays) {
  const Catalogue catalogue{.meaning = [](std::string_view) { return "Bytes of a \"triad\""; },
                            .fault = [](std::string_view) { return std::nullopt; }};
  View view;
  view.catalogue = &catalogue;
  const auto text = openmetrics(report_of_bandwidths(1), view);
  EXPECT_NE(text.find("# TYPE muster_host_memory_bandwidth_bytes_per_second gauge\n"
                      "# UNIT muster_host_memory_bandwidth_bytes_per_second bytes_per_second\n"
                      "# HELP muster_host_memory_bandwidth_bytes_per_second Bytes of a 'triad'\n"
                      "muster_host_memory_bandwidth_bytes_per_second{host=\"gpu-1\",numa=\"0\",run=\"node\","
                      "tier=\"quick\"} 1000000000\n"),
            text.npos)
      << text;
  EXPECT_TRUE(text.ends_with("\n# EOF\n"));
}

TEST(OpenMetrics, TellsWhenTheRunEndedAsAValue) {
  EXPECT_NE(openmetrics(report_of_bandwidths(0))
                .find("muster_report_time_seconds{host=\"gpu-1\",run=\"node\","
                      "tier=\"quick\"} 1795229415\n"),
            std::string::npos);
}

TEST(OpenMetrics, OfANodeThereAreAtMostAThousandSeries) {
  EXPECT_LT(series(openmetrics(report_of_bandwidths(900))), 1000U);
  const auto text = openmetrics(report_of_bandwidths(5000));
  EXPECT_EQ(series(text), 1000U);
  EXPECT_NE(text.find("muster_report_series_left_out{host=\"gpu-1\",run=\"node\",tier=\"quick\"} 40"), text.npos);
}

TEST(OpenMetrics, WhatFailsIsNotLeftOut) {
  auto report = report_of_bandwidths(5000);
  Verdict slow;
  slow.status = Status::fail;
  slow.metric = "host_memory.bandwidth";
  slow.labels = {{"numa", "4999"}};
  report.checks[0].verdicts = {slow};
  EXPECT_NE(openmetrics(report).find("numa=\"4999\""), std::string::npos);
}

// In one folder of textfiles, a series that is in two files is lost.
TEST(OpenMetrics, RunsOfOneHostShareNoSeries) {
  auto node = report_of_bandwidths(1);
  auto single = node, job = node, full = node;
  single.selection.only = {"host_memory"};
  job.selection.only = {"host_memory"};
  job.checks[0].hosts = {"gpu-1", "gpu-2"};
  full.selection.tier = Tier::full;
  std::vector<std::string> lines;
  for (const auto& each : {node, single, job, full}) {
    const auto text = openmetrics(each);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      if (text[at] != '#') lines.push_back(text.substr(at, text.find(' ', text.find('}', at)) - at));
  }
  std::ranges::sort(lines);
  EXPECT_EQ(std::ranges::adjacent_find(lines), lines.end());
}

TEST(OpenMetrics, APartThatIsReplacedMakesNoNewSeries) {
  auto report = report_of_bandwidths(1);
  report.checks[0].measurements[0].labels["serial"] = "S1";
  EXPECT_EQ(openmetrics(report).find("S1"), std::string::npos);
}

TEST(Exposition, NamesAreThoseOfPrometheus) {
  EXPECT_EQ(metric_family("ib_link.rate", Unit::bit_per_second), "muster_ib_link_rate_bytes_per_second");
  EXPECT_EQ(metric_family("inventory.gpu_count", Unit::one), "muster_inventory_gpu_number");
  EXPECT_EQ(metric_family("up.seconds", Unit::second), "muster_up_seconds");
  EXPECT_EQ(metric_family("a b\n\xff", Unit::one), "muster_a_b__");
}

TEST(Exposition, HostileLabelsStayLabels) {
  Exposition out(9);
  out.add("a.b", {1}, "help\n# EOF", {{"1 x", "\"\\\n"}, {"job", "j"}, {"__name__", "n"}, {"", "e"}, {"empty", ""}});
  EXPECT_EQ(out.text(),
            "# TYPE muster_a_b gauge\n# HELP muster_a_b help # EOF\n"
            "muster_a_b{label_=\"e\",label_1_x=\"\\\"\\\\ \",label___name__=\"n\",label_job=\"j\"} 1\n# EOF\n");
}

TEST(Exposition, ASeriesIsThereOnce) {
  Exposition out(9);
  out.add("a", {1}, "", {});
  out.add("a", {2}, "", {});
  EXPECT_EQ(series(out.text()), 1U);
}

TEST(OpenMetrics, ExamplesHaveRoom) {
  for (const auto* name : {"fail", "gpu", "pass", "skip", "unknown", "warn"}) {
    const auto report = read_report(tests::source_folder() / "results/examples" / fmt::format("{}.json", name));
    EXPECT_NE(openmetrics(report).find("muster_report_series_left_out{"), std::string::npos);
    EXPECT_LT(series(openmetrics(report)), 1000U) << name;
  }
}

}  // namespace
}  // namespace muster::results
