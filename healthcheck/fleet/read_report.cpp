// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/read_report.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "results/values/contradiction.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr Shape<12> report_shape{{"schema", "tool", "run_id", "started", "duration_seconds", "status", "summary",
                                  "profile", "selection", "environment", "hosts", "checks"}};
constexpr Shape<2> tool_shape{{"name", "version"}};
constexpr Shape<4> profile_shape{{"name", "sha256", "chosen_by", "doubt"}, 0b1000};
constexpr Shape<3> selection_shape{{"tier", "only", "skip"}};
constexpr Shape<2> host_shape{{"name", "fingerprint"}};
constexpr Shape<17> run_shape{
    {"check", "host", "component", "attempt", "status", "outcome", "reason", "phase", "information", "started",
     "duration_seconds", "verdicts", "measurements", "evidence", "hosts", "kernel_function", "selected"},
    0b111'00000000'000000};
constexpr Shape<11> verdict_shape{{"status", "metric", "labels", "value", "expected", "source", "reason", "fault",
                                   "action", "azure_code", "azure_category"},
                                  0b1000};

template <typename Enum>
Enum word(const element& from, std::optional<Enum> (*of)(std::string_view)) {
  const auto one = of(text(from));
  expect(one.has_value());
  return *one;
}

std::string_view time(const element& from) {
  const auto when = text(from);
  expect(when.empty() || results::is_time(when));
  return when;
}

double duration(const element& from) {
  const double seconds = number(from);
  expect(!(seconds < 0));
  return seconds;
}

std::vector<std::string> texts(const element& from) {
  std::vector<std::string> read;
  for (const auto& each : list(from)) read.emplace_back(text(each));
  return read;
}

results::Labels labels(const element& from) {
  results::Labels read;
  each_member(from,
              [&](std::string_view name, const element& value) { read.emplace_hint(read.end(), name, text(value)); });
  return read;
}

// Keeps verdicts below a warning only as far as they give the run its status.
void read_verdicts(results::CheckRun& run, const element& from, Facts& facts) {
  std::optional<results::Status> mild;
  for (const auto& each : list(from)) {
    const Fields<verdict_shape> fields(each);
    const auto status = word(fields[0], results::status_from);
    const auto metric = text(fields[1]);
    for (std::size_t field = 4; field < 11; ++field) expect_text(fields[field]);
    if (status >= results::Status::warn) {
      run.verdicts.push_back({.status = status,
                              .metric = std::string(metric),
                              .labels = labels(fields[2]),
                              .value = fields.has(3) ? std::optional<results::Value>("") : std::nullopt,
                              .reason = std::string(text(fields[6])),
                              .fault = std::string(text(fields[7])),
                              .action = std::string(text(fields[8]))});
    } else {
      expect_texts(fields[2]);
      mild = std::max(mild.value_or(status), status);
    }
    if (fields.has(3)) facts.add_verdict(metric, fields[2], fields[3]);
  }
  if (run.verdicts.empty() && mild) run.verdicts.push_back({.status = *mild});
}

void expect_selected(const element& from) {
  each_member(from, [](std::string_view, const element& values) {
    for (const auto& each : list(values)) expect_text(each);
  });
}

results::CheckRun read_run(const element& from, Facts& facts, RateReader& rates) {
  const Fields<run_shape> fields(from);
  results::CheckRun run{.check = std::string(text(fields[0])),
                        .host = std::string(text(fields[1])),
                        .component = labels(fields[2]),
                        .outcome = word(fields[5], results::outcome_from),
                        .reason = std::string(text(fields[6])),
                        .phase = std::string(text(fields[7])),
                        .duration_seconds = duration(fields[10]),
                        .status = word(fields[4], results::status_from)};
  const double attempt = number(fields[3]);
  expect(attempt >= 1 && attempt <= 1000 && std::floor(attempt) == attempt);
  expect_text(fields[8]);
  time(fields[9]);
  facts.begin(text(fields[1]), fields[2]);
  rates.begin_run(from);
  read_verdicts(run, fields[11], facts);
  for (const auto& each : list(fields[12])) facts.add_measurement(each, rates);
  for (const auto& each : list(fields[13])) facts.add_evidence(each);
  facts.expect_all_are_facts();
  expect(!fields.has(14));  // it is of a job, and those are no reports of a node
  if (fields.has(15)) run.kernel_function = text(fields[15]);
  if (fields.has(16)) expect_selected(fields[16]);
  return run;
}

// Its name.
std::string_view read_profile(const element& from) {
  const Fields<profile_shape> fields(from);
  expect_text(fields[1]);
  expect_text(fields[2]);
  if (fields.has(3)) expect_text(fields[3]);
  return text(fields[0]);
}

results::Report read_report(const element& whole, Facts& facts, RateReader& rates) {
  const Fields<report_shape> fields(whole);
  const Fields<tool_shape> tool(fields[1]);
  const Fields<selection_shape> selection(fields[8]);
  expect(number(fields[0]) == 1);
  duration(fields[4]);
  expect_texts(fields[9]);
  results::Report read{
      .version = std::string(text(tool[1])),
      .run_id = std::string(text(fields[2])),
      .started = std::string(time(fields[3])),
      .profile = {.name = std::string(read_profile(fields[7])), .sha256 = "", .chosen_by = "", .doubt = ""},
      .selection = {.tier = word(selection[0], results::tier_from),
                    .only = texts(selection[1]),
                    .skip = texts(selection[2])},
      .status = word(fields[5], results::status_from),
      .summary = std::string(text(fields[6]))};
  for (const auto& each : list(fields[10])) {
    const Fields<host_shape> host(each);
    expect_texts(host[1]);
    read.hosts.push_back({.name = std::string(text(host[0])), .fingerprint = {}});
  }
  rates.begin_report(whole);
  const auto runs = list(fields[11]);
  read.checks.reserve(runs.size());
  for (const auto& each : runs) read.checks.push_back(read_run(each, facts, rates));
  expect(results::contradiction_without_facts(read).empty());
  return read;
}

}  // namespace

std::optional<results::Report> quickly_read(const element& whole, Facts& facts, RateReader& rates) try {
  return read_report(whole, facts, rates);
} catch (const Unusual&) {
  return std::nullopt;
}

}  // namespace muster::healthcheck::fleet
