// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/node_report.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "healthcheck/fleet/read_rates.hpp"
#include "results/contradiction.hpp"
#include "results/error.hpp"
#include "results/report_json.hpp"

namespace muster::healthcheck::fleet {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t most_problems = 8;  // of a node, in what is told of a fleet

std::vector<std::string> texts(const simdjson::dom::array& from) {
  std::vector<std::string> read;
  for (const std::string_view text : from) read.emplace_back(text);
  return read;
}

// Each field has one of these names, and each is there once. The names are in the order of a written report, which
// makes the next field's the next one to try.
void expect_fields(const object& from, std::initializer_list<std::string_view> names) {
  std::uint64_t seen = 0;
  const auto* at = names.begin();
  for (const auto& [name, value] : from) {
    at = std::find(at, names.end(), name);
    if (at == names.end()) at = std::ranges::find(names, name);
    if (at == names.end()) throw results::Error(fmt::format("{}: there is no such field", name));
    const auto bit = std::uint64_t{1} << (at - names.begin());
    if ((seen & bit) != 0) throw results::Error(fmt::format("the field '{}' is there twice", name));
    seen |= bit;
    ++at;
  }
}

void expect_no_negative(double seconds) {
  if (seconds < 0) throw results::Error(fmt::format("duration_seconds: {} is negative", seconds));
}

// The text of a field that must be there. Throws simdjson_error.
std::string text(const object& from, std::string_view name) { return std::string(std::string_view(from[name])); }

template <typename Enum, typename From>
Enum one_of(const object& from, std::string_view name, From found) {
  const std::string_view word = from[name];
  if (const std::optional<Enum> one = found(word)) return *one;
  throw results::Error(fmt::format("{}: '{}' is none of its words", name, word));
}

results::Labels labels(const element& from) {
  results::Labels read;
  for (const auto& [name, value] : object(from))
    if (!read.emplace(name, std::string(std::string_view(value))).second)
      throw results::Error(fmt::format("the field '{}' is there twice", name));
  return read;
}

results::Verdict verdict(const object& from) {
  return {.status = one_of<results::Status>(from, "status", results::status_from),
          .metric = text(from, "metric"),
          .labels = labels(from["labels"]),
          .value = from["value"].error() == simdjson::SUCCESS ? std::optional<results::Value>("") : std::nullopt,
          .reason = text(from, "reason"),
          .fault = text(from, "fault"),
          .action = text(from, "action")};
}

// Verdicts below a warning only as far as they give the run its status.
void add_verdicts(results::CheckRun& run, const simdjson::dom::array& verdicts) {
  std::optional<results::Status> mild;
  for (const object each : verdicts) {
    expect_fields(each, {"status", "metric", "labels", "value", "expected", "source", "reason", "fault", "action",
                         "azure_code", "azure_category"});
    const auto status = one_of<results::Status>(each, "status", results::status_from);
    if (status >= results::Status::warn)
      run.verdicts.push_back(verdict(each));
    else
      mild = std::max(mild.value_or(status), status);
  }
  if (run.verdicts.empty() && mild) run.verdicts.push_back({.status = *mild});
}

results::CheckRun run(const object& from) {
  expect_fields(from, {"check", "host", "component", "attempt", "status", "outcome", "reason", "phase", "information",
                       "started", "duration_seconds", "verdicts", "measurements", "evidence", "hosts", "selected"});
  results::CheckRun read{.check = text(from, "check"),
                         .host = text(from, "host"),
                         .component = labels(from["component"]),
                         .outcome = one_of<results::Outcome>(from, "outcome", results::outcome_from),
                         .reason = text(from, "reason"),
                         .phase = text(from, "phase"),
                         .duration_seconds = double(from["duration_seconds"]),
                         .status = one_of<results::Status>(from, "status", results::status_from)};
  add_verdicts(read, from["verdicts"]);
  expect_no_negative(read.duration_seconds);
  return read;
}

// Without what was measured.
results::Report report(const object& from) {
  expect_fields(from, {"schema", "tool", "run_id", "started", "duration_seconds", "status", "summary", "profile",
                       "selection", "environment", "hosts", "checks"});
  expect_fields(from["profile"], {"name", "sha256", "chosen_by", "doubt"});
  expect_fields(from["selection"], {"tier", "only", "skip"});
  results::Report read{.version = text(from["tool"], "version"),
                       .run_id = text(from, "run_id"),
                       .started = text(from, "started"),
                       .profile = {.name = text(from["profile"], "name"), .sha256 = "", .chosen_by = ""},
                       .status = one_of<results::Status>(from, "status", results::status_from),
                       .summary = text(from, "summary")};
  for (const object host : simdjson::dom::array(from["hosts"]))
    read.hosts.push_back({.name = text(host, "name"), .fingerprint = {}});
  expect_no_negative(double(from["duration_seconds"]));
  read.selection = {.tier = one_of<results::Tier>(from["selection"], "tier", results::tier_from),
                    .only = texts(from["selection"]["only"]),
                    .skip = texts(from["selection"]["skip"])};
  for (const object each : simdjson::dom::array(from["checks"])) read.checks.push_back(run(each));
  results::expect_no_contradiction(read);
  return read;
}

}  // namespace

struct NodeReportReader::Parser {
  simdjson::dom::parser json;
};

NodeReportReader::NodeReportReader() : parser_(std::make_unique<Parser>()) {}
NodeReportReader::~NodeReportReader() = default;

std::optional<NodeReportReader::Read> NodeReportReader::read(const std::string& json) try {
  const object whole = parser_->json.parse(json);
  const auto has = [&](std::string_view name) { return whole[name].error() == simdjson::SUCCESS; };
  if (!has("tool") || text(whole["tool"], "name") != "muster") throw results::Error("this is no report of muster");
  if (has("nodes")) return std::nullopt;
  if (std::int64_t(whole["schema"]) != 1) throw results::Error("schema: this program reads version 1 only");
  Read read{.is_whole = has("checks")};
  read.summary = read.is_whole ? results::summary_of(report(whole), most_problems) : results::summary_from_json(json);
  if (read.is_whole) read.rates = rates_of(whole, texts_);
  if (read.summary.problems.size() > most_problems) {
    for (auto each = read.summary.problems.begin() + most_problems; each != read.summary.problems.end(); ++each)
      read.summary.omitted += each->count;
    read.summary.problems.resize(most_problems);
  }
  if (read.summary.host_count != 1)
    throw results::Error(fmt::format("it is about {} hosts, and not about one node", read.summary.host_count));
  if (!results::time_from(read.summary.started)) throw results::Error("started: it has none, so that it is of no run");
  return read;
} catch (const simdjson::simdjson_error& error) {
  throw results::Error(fmt::format("this is no whole report: {}", error.what()));
}

}  // namespace muster::healthcheck::fleet
