// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "healthcheck/fleet/fleet_report.hpp"
#include "results/json/parsed_json.hpp"
#include "results/json/report_fields_json.hpp"
#include "results/strings/names.hpp"
#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Field;
using results::Status;

constexpr std::size_t max_exact = std::size_t{1} << 53;

Source read_source(const Field& field) {
  const Field source = field.object({"path", "run_id", "started", "status", "whole"});
  return {.path = source.at("path").text(),
          .run_id = source.at("run_id").text(),
          .started = results::read_time(source.at("started")),
          .status = results::read_status(source.at("status")),
          .is_whole = source.at("whole").flag()};
}

FleetNode read_node(const Field& field) {
  const Field node = field.object(
      {"name", "status", "coverage", "before", "reason", "profile", "reports", "problems", "omitted", "checks"});
  FleetNode read{.name = node.at("name").text(),
                 .status = results::read_status(node.at("status")),
                 .coverage = node.at("coverage")
                                 .one_of(
                                     coverage_from, [](Coverage each) { return to_text(each); }, Coverage::unexpected),
                 .before = node.at("before").text(),
                 .reason = node.at("reason").text(),
                 .profile = node.at("profile").text(),
                 .omitted = node.at("omitted").whole_number(0, max_exact)};
  for (const Field& source : node.at("reports").items()) read.reports.push_back(read_source(source));
  for (const Field& problem : node.at("problems").items()) read.problems.push_back(results::read_problem(problem));
  if (const auto checks = node.find("checks")) {
    read.checks = checks->text();
    if (!std::ranges::all_of(read.checks, [](char each) { return each == not_run || status_of(each); }))
      checks->fail("it is not of the letters p, w, u, f, s and -");
  }
  return read;
}

Unreadable read_unreadable(const Field& field) {
  const Field file = field.object({"path", "reason"});
  return {.path = file.at("path").text(), .reason = file.at("reason").text()};
}

Peers read_peers(const Field& field) {
  const Field peers = field.object({"nodes", "values", "divided"});
  Peers read{.nodes = peers.at("nodes").whole_number(0, max_exact),
             .values = peers.at("values").whole_number(0, max_exact)};
  for (const Field& item : peers.at("divided").items()) {
    const Field each = item.object({"profile", "metric", "labels", "reason"});
    read.divided.push_back({.profile = each.at("profile").text(),
                            .metric = each.at("metric").text(),
                            .labels = results::read_labels(each.at("labels")),
                            .reason = each.at("reason").text()});
  }
  return read;
}

MetricSpread read_spread(const Field& field) {
  const Field from = field.object(
      {"profile", "machine", "metric", "unit", "labels", "better", "nodes", "values", "quantiles", "slow", "outliers"});
  const auto unit = results::unit_from(from.at("unit").text());
  if (!unit) from.at("unit").fail("it is no unit of muster");
  const auto better = from.at("better").text();
  if (better != "higher" && better != "lower") from.at("better").fail("it is neither higher nor lower");
  MetricSpread read{.profile = from.at("profile").text(),
                    .machine = from.at("machine").text(),
                    .metric = from.at("metric").text(),
                    .unit = *unit,
                    .labels = results::read_labels(from.at("labels")),
                    .better = better == "higher" ? Better::higher : Better::lower,
                    .nodes = from.at("nodes").whole_number(0, max_exact),
                    .values = from.at("values").whole_number(0, max_exact),
                    .slow = from.at("slow").whole_number(0, max_exact)};
  const auto quantiles = from.at("quantiles").items();
  if (quantiles.size() != read.quantiles.size())
    from.at("quantiles").fail(fmt::format("there are {}, and should be {}", quantiles.size(), read.quantiles.size()));
  for (std::size_t i = 0; i < quantiles.size(); ++i) read.quantiles.at(i) = quantiles[i].number();
  for (const Field& item : from.at("outliers").items()) {
    const Field each = item.object({"node", "component", "value"});
    read.outliers.push_back(
        {each.at("node").text(), results::read_labels(each.at("component")), each.at("value").number()});
  }
  return read;
}

void refuse(const std::string& contradiction) { throw results::Error("it contradicts itself: " + contradiction); }

void expect_no_contradiction(const FleetReport& report) {
  for (const FleetNode& node : report.nodes) {
    for (const auto& problem : node.problems)
      if (problem.status > node.status)
        refuse(fmt::format("{} is {}, and has a problem that is {}", node.name, to_text(node.status),
                           to_text(problem.status)));
    if (!node.checks.empty() && node.checks.size() != report.checks.size())
      refuse(fmt::format("{} has {} letters for {} checks", node.name, node.checks.size(), report.checks.size()));
    if (node.coverage == Coverage::missing && node.status != Status::fail)
      refuse(fmt::format("{} is missing, and {}", node.name, to_text(node.status)));
  }
  if (const auto worst = worst_of(report); report.status < worst)
    refuse(fmt::format("the fleet is {}, and its worst is {}", to_text(report.status), to_text(worst)));
}

}  // namespace

FleetReport fleet_report_from_json(std::string_view text) {
  const auto json = results::parsed(text);
  const Field report = Field(json).object({"schema", "tool", "run_id", "made", "since", "status", "summary", "nodes",
                                           "unreadable", "peers", "previous", "gone", "check_names", "metrics"});
  if (report.at("schema").number() != 1) report.at("schema").fail("this program reads version 1 only");
  FleetReport read{.version = results::read_version(report.at("tool")),
                   .run_id = report.at("run_id").text(),
                   .made = results::read_time(report.at("made")),
                   .since = results::read_time(report.at("since")),
                   .status = results::read_status(report.at("status")),
                   .summary = report.at("summary").text()};
  for (const Field& node : report.at("nodes").items()) read.nodes.push_back(read_node(node));
  for (const Field& file : report.at("unreadable").items()) read.unreadable.push_back(read_unreadable(file));
  for (const Field& name : report.at("gone").items()) read.gone.push_back(name.text());
  if (const auto peers = report.find("peers")) read.peers = read_peers(*peers);
  if (const auto previous = report.find("previous")) {
    const Field other = previous->object({"run_id", "made"});
    read.previous = Previous{other.at("run_id").text(), results::read_time(other.at("made"))};
  }
  if (const auto checks = report.find("check_names"))
    for (const Field& name : checks->items()) read.checks.push_back(name.text());
  if (const auto metrics = report.find("metrics"))
    for (const Field& each : metrics->items()) read.metrics.push_back(read_spread(each));
  expect_no_contradiction(read);
  return read;
}

}  // namespace muster::healthcheck::fleet
