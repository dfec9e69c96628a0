// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "results/json/document.hpp"
#include "results/json/fields_json.hpp"
#include "results/json/parsed_json.hpp"
#include "results/json/report_fields_json.hpp"
#include "results/json/report_json.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "results/values/contradiction.hpp"

namespace muster::results {
namespace {

template <typename Read>
auto read_all(const Field& field, Read read) {
  std::vector<decltype(read(field))> list;
  for (const Field& item : field.items()) list.push_back(read(item));
  return list;
}

template <typename Read>
auto read_optional(const std::optional<Field>& field, Read read) {
  return field ? std::optional(read(*field)) : std::nullopt;
}

double read_number(const Field& field) { return field.number(); }

double read_duration(const Field& field) {
  const double seconds = field.number();
  if (seconds < 0) field.fail(fmt::format("{} is negative", seconds));
  return seconds;
}

Quantity read_quantity(const Field& field) {
  const Field quantity = field.object({"value", "unit"});
  return {quantity.at("value").number(), quantity.at("unit").one_of(unit_from, symbol, Unit::operation_per_second)};
}

Value read_value(const Field& field) {
  if (field.is_text()) return field.text();
  return read_quantity(field);
}

Interval read_interval(const Field& field) {
  const Field interval = field.object({"low", "high"});
  return {interval.at("low").number(), interval.at("high").number()};
}

Summary read_summary(const Field& field) {
  const Field summary = field.object({"n", "minimum", "median", "p95", "p99", "maximum", "spread", "median_interval"});
  return {.n = summary.at("n").whole_number(0, max_exact),
          .minimum = summary.at("minimum").number(),
          .median = summary.at("median").number(),
          .p95 = summary.at("p95").number(),
          .p99 = summary.at("p99").number(),
          .maximum = summary.at("maximum").number(),
          .spread = summary.at("spread").number(),
          .median_interval = read_optional(summary.find("median_interval"), read_interval)};
}

Stopping read_stopping(const Field& field) {
  const Field stopping = field.object({"rule", "pass_edge", "fail_edge", "noise", "n", "decision"});
  return {.rule = stopping.at("rule").text(),
          .pass_edge = read_optional(stopping.find("pass_edge"), read_number),
          .fail_edge = read_optional(stopping.find("fail_edge"), read_number),
          .noise = read_optional(stopping.find("noise"), read_number),
          .n = stopping.at("n").whole_number(0, max_exact),
          .decision = stopping.at("decision")
                          .one_of(
                              stopping_decision_from, [](StoppingDecision decision) { return to_text(decision); },
                              StoppingDecision::budget)};
}

Limit read_limit(const Field& field) {
  const Field limit = field.object({"value", "source"});
  return {read_quantity(limit.at("value")), limit.at("source").text()};
}

Measurement read_measurement(const Field& field) {
  const Field measurement = field.object({"metric", "value", "labels", "summary", "stopping", "limit"});
  return {.metric = measurement.at("metric").text(),
          .value = read_value(measurement.at("value")),
          .labels = read_labels(measurement.at("labels")),
          .summary = read_optional(measurement.find("summary"), read_summary),
          .stopping = read_optional(measurement.find("stopping"), read_stopping),
          .limit = read_optional(measurement.find("limit"), read_limit)};
}

Delta read_delta(const Field& field) {
  const Field delta = field.object({"metric", "labels", "before", "after"});
  return {delta.at("metric").text(), read_labels(delta.at("labels")), delta.at("before").number(),
          delta.at("after").number()};
}

Verdict read_verdict(const Field& field) {
  const Field verdict = field.object({"status", "metric", "labels", "value", "expected", "source", "reason", "fault",
                                      "action", "azure_code", "azure_category"});
  return {.status = read_status(verdict.at("status")),
          .metric = verdict.at("metric").text(),
          .labels = read_labels(verdict.at("labels")),
          .value = read_optional(verdict.find("value"), read_value),
          .expected = verdict.at("expected").text(),
          .source = verdict.at("source").text(),
          .reason = verdict.at("reason").text(),
          .fault = verdict.at("fault").text(),
          .action = verdict.at("action").text(),
          .azure_code = verdict.at("azure_code").text(),
          .azure_category = verdict.at("azure_category").text()};
}

Selected read_selected(const Field& field) {
  Selected selected;
  for (const auto& [label, values] : field.members()) selected[label] = read_texts(values);
  return selected;
}

CheckRun read_run(const Field& field) {
  const Field run = field.object({"check", "host", "hosts", "component", "attempt", "status", "outcome", "reason",
                                  "phase", "kernel_function", "information", "started", "duration_seconds", "verdicts",
                                  "measurements", "evidence", "selected"});
  const auto hosts = run.find("hosts");
  const auto selected = run.find("selected");
  const auto kernel_function = run.find("kernel_function");
  const auto outcome_name = [](Outcome outcome) { return to_text(outcome); };
  return {.check = run.at("check").text(),
          .host = run.at("host").text(),
          .hosts = hosts ? read_texts(*hosts) : std::vector<std::string>{},
          .component = read_labels(run.at("component")),
          .selected = selected ? read_selected(*selected) : Selected{},
          .attempt = static_cast<int>(run.at("attempt").whole_number(1, 1000)),
          .outcome = run.at("outcome").one_of(outcome_from, outcome_name, Outcome::in_use),
          .reason = run.at("reason").text(),
          .phase = run.at("phase").text(),
          .kernel_function = kernel_function ? kernel_function->text() : std::string(),
          .started = read_time(run.at("started")),
          .duration_seconds = read_duration(run.at("duration_seconds")),
          .measurements = read_all(run.at("measurements"), read_measurement),
          .evidence = read_all(run.at("evidence"), read_delta),
          .status = read_status(run.at("status")),
          .information = run.at("information").text(),
          .verdicts = read_all(run.at("verdicts"), read_verdict)};
}

Host read_host(const Field& field) {
  const Field host = field.object({"name", "fingerprint"});
  return {host.at("name").text(), read_labels(host.at("fingerprint"))};
}

ProfileReference read_profile_reference(const Field& field) {
  const Field profile = field.object({"name", "sha256", "chosen_by", "doubt"});
  const auto doubt = profile.find("doubt");
  return {.name = profile.at("name").text(),
          .sha256 = profile.at("sha256").text(),
          .chosen_by = profile.at("chosen_by").text(),
          .doubt = doubt ? doubt->text() : ""};
}

Report read_fields(const Field& field) {
  const Field report = field.object({"schema", "tool", "run_id", "started", "duration_seconds", "status", "summary",
                                     "profile", "selection", "environment", "hosts", "checks"});
  if (report.at("schema").number() != 1) report.at("schema").fail("this program reads version 1 only");
  return {.version = read_version(report.at("tool")),
          .run_id = report.at("run_id").text(),
          .started = read_time(report.at("started")),
          .duration_seconds = read_duration(report.at("duration_seconds")),
          .profile = read_profile_reference(report.at("profile")),
          .selection = read_selection(report.at("selection")),
          .environment = read_labels(report.at("environment")),
          .hosts = read_all(report.at("hosts"), read_host),
          .checks = read_all(report.at("checks"), read_run),
          .status = read_status(report.at("status")),
          .summary = report.at("summary").text()};
}

}  // namespace

Report report_from_json(std::string_view text) {
  auto report = read_fields(Field(parsed(text)));
  expect_no_contradiction(report);
  return report;
}

Report read_report(const std::filesystem::path& file) { return report_from_file(read_text(file), file); }

Report report_from_file(std::string_view text, const std::filesystem::path& file) {
  try {
    return report_from_json(text);
  } catch (const Error& error) {
    expect_document(text, Document::report, file);
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace muster::results
