// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/json/cut_json.hpp"
#include "results/json/fields_json.hpp"
#include "results/json/parsed_json.hpp"
#include "results/json/report_fields_json.hpp"
#include "results/json/report_json.hpp"
#include "results/system/error.hpp"

namespace muster::results {
namespace {

bool is_hash(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

void require_report(const Field& field) {
  const Field report = field.object({"path", "sha256"});
  report.at("path").text();
  if (!is_hash(report.at("sha256").text())) report.at("sha256").fail("this is not a SHA-256");
}

Field summary_field(const nlohmann::json& json) {
  const Field summary = Field(json).object({"schema", "tool", "run_id", "started", "host", "host_count", "profile",
                                            "selection", "status", "summary", "report", "problems", "omitted"});
  if (summary.at("schema").number() != 1) summary.at("schema").fail("this program reads version 1 only");
  return summary;
}

ReportSummary read_heading(const Field& summary) {
  ReportSummary read{.version = read_version(summary.at("tool")),
                     .run_id = summary.at("run_id").text(),
                     .started = read_time(summary.at("started")),
                     .host = summary.at("host").text(),
                     .host_count = summary.at("host_count").whole_number(0, max_exact),
                     .profile = summary.at("profile").text(),
                     .selection = std::nullopt,
                     .status = read_status(summary.at("status")),
                     .sentence = {},
                     .problems = {}};
  if (const auto selection = summary.find("selection")) read.selection = read_selection(*selection);
  if (const auto sentence = summary.find("summary")) read.sentence = sentence->text();
  return read;
}

void add_problem(ReportSummary& read, const Field& problem) {
  read.problems.push_back(read_problem(problem));
  if (read.problems.back().status > read.status) problem.at("status").fail("is worse than the whole summary");
}

ReportSummary summary_from_cut_json(std::string_view text) {
  const auto whole = without_cut_end(text);
  if (!whole) throw Error("it was not cut");
  const auto json = parsed(*whole);
  const Field summary = summary_field(json);
  auto read = read_heading(summary);
  const auto problems = summary.find("problems");
  for (const Field& problem : problems ? problems->items() : std::vector<Field>{})
    if (problem.find("action")) add_problem(read, problem);  // its last field
  read.sentence += read.sentence.empty() ? "its summary was cut off" : " (the rest of its summary was cut off)";
  return read;
}

}  // namespace

SummaryProblem read_problem(const Field& field) {
  const Field problem =
      field.object({"status", "check", "host", "metric", "labels", "count", "reason", "fault", "action"});
  SummaryProblem read{.status = read_status(problem.at("status")),
                      .check = problem.at("check").text(),
                      .host = problem.at("host").text(),
                      .metric = problem.at("metric").text(),
                      .labels = read_labels(problem.at("labels")),
                      .count = problem.at("count").whole_number(1, max_exact),
                      .reason = problem.at("reason").text(),
                      .fault = problem.at("fault").text(),
                      .action = problem.at("action").text()};
  if (read.status < Status::warn) problem.at("status").fail("this is not a problem");
  if (read.labels.size() > max_summary_labels)
    problem.at("labels").fail(fmt::format("more than {} labels", max_summary_labels));
  return read;
}

ReportSummary summary_from_json(std::string_view text) {
  if (text.size() > max_summary_bytes)
    throw Error(
        fmt::format("{} bytes are too many for a summary, which has at most {}", text.size(), max_summary_bytes));
  const auto json = parsed(text);
  const Field summary = summary_field(json);
  require_report(summary.at("report"));
  summary.at("summary");
  auto read = read_heading(summary);
  read.omitted = summary.at("omitted").whole_number(0, max_exact);
  for (const Field& problem : summary.at("problems").items()) add_problem(read, problem);
  return read;
}

ReportSummary summary_from_message(std::string_view text) {
  try {
    return summary_from_json(text);
  } catch (const Error& whole) {
    if (text.size() > max_summary_bytes) throw;
    try {
      return summary_from_cut_json(text);
    } catch (const Error&) {
      throw whole;
    }
  }
}

}  // namespace muster::results
