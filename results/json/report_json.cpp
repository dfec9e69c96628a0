// SPDX-License-Identifier: Apache-2.0
#include "results/json/report_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "results/json/report_fields_json.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::results {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Measurement& measurement);
Json json_of(const Delta& delta);
Json json_of(const Verdict& verdict);
Json json_of(const CheckRun& run);
Json json_of(const Host& host);

template <typename Item>
Json array_of(const std::vector<Item>& list) {
  Json array = Json::array();
  for (const Item& item : list) array.push_back(json_of(item));
  return array;
}

Json json_of(const Value& value) {
  if (const auto* quantity = std::get_if<Quantity>(&value))
    return {{"value", quantity->value}, {"unit", symbol(quantity->unit)}};
  return std::get<std::string>(value);
}

Json json_of(const Labels& labels) {
  Json object = Json::object();
  for (const auto& [name, value] : labels) object[name] = value;
  return object;
}

Json json_of(const Summary& summary) {
  Json object = {{"n", summary.n},     {"minimum", summary.minimum}, {"median", summary.median}, {"p95", summary.p95},
                 {"p99", summary.p99}, {"maximum", summary.maximum}, {"spread", summary.spread}};
  if (const auto& interval = summary.median_interval)
    object["median_interval"] = {{"low", interval->low}, {"high", interval->high}};
  return object;
}

Json json_of(const Stopping& stopping) {
  Json object = {{"rule", stopping.rule}};
  if (stopping.pass_edge) object["pass_edge"] = *stopping.pass_edge;
  if (stopping.fail_edge) object["fail_edge"] = *stopping.fail_edge;
  if (stopping.noise) object["noise"] = *stopping.noise;
  object["n"] = stopping.n;
  object["decision"] = to_text(stopping.decision);
  return object;
}

Json json_of(const Limit& limit) { return {{"value", json_of(Value(limit.value))}, {"source", limit.source}}; }

Json json_of(const Measurement& measurement) {
  Json object = {
      {"metric", measurement.metric}, {"value", json_of(measurement.value)}, {"labels", json_of(measurement.labels)}};
  if (measurement.summary) object["summary"] = json_of(*measurement.summary);
  if (measurement.stopping) object["stopping"] = json_of(*measurement.stopping);
  if (measurement.limit) object["limit"] = json_of(*measurement.limit);
  return object;
}

Json json_of(const Delta& delta) {
  return {
      {"metric", delta.metric}, {"labels", json_of(delta.labels)}, {"before", delta.before}, {"after", delta.after}};
}

Json json_of(const Verdict& verdict) {
  Json object = {{"status", to_text(verdict.status)}, {"metric", verdict.metric}, {"labels", json_of(verdict.labels)}};
  if (verdict.value) object["value"] = json_of(*verdict.value);
  object["expected"] = verdict.expected;
  object["source"] = verdict.source;
  object["reason"] = verdict.reason;
  object["fault"] = verdict.fault;
  object["action"] = verdict.action;
  object["azure_code"] = verdict.azure_code;
  object["azure_category"] = verdict.azure_category;
  return object;
}

Json json_of(const CheckRun& run) {
  Json object = {{"check", run.check},
                 {"host", run.host},
                 {"component", json_of(run.component)},
                 {"attempt", run.attempt},
                 {"status", to_text(run.status)},
                 {"outcome", to_text(run.outcome)},
                 {"reason", run.reason},
                 {"phase", run.phase},
                 {"information", run.information},
                 {"started", run.started},
                 {"duration_seconds", run.duration_seconds},
                 {"verdicts", array_of(run.verdicts)},
                 {"measurements", array_of(run.measurements)},
                 {"evidence", array_of(run.evidence)}};
  if (!run.hosts.empty()) object["hosts"] = run.hosts;
  if (!run.kernel_function.empty()) object["kernel_function"] = run.kernel_function;
  if (!run.selected.empty()) object["selected"] = run.selected;
  return object;
}

Json json_of(const Host& host) { return {{"name", host.name}, {"fingerprint", json_of(host.fingerprint)}}; }

Json json_of(const ProfileReference& profile) {
  Json object = {{"name", profile.name}, {"sha256", profile.sha256}, {"chosen_by", profile.chosen_by}};
  if (!profile.doubt.empty()) object["doubt"] = profile.doubt;
  return object;
}

Json json_of(const Report& report) {
  return {{"schema", 1},
          {"tool", {{"name", "muster"}, {"version", report.version}}},
          {"run_id", report.run_id},
          {"started", report.started},
          {"duration_seconds", report.duration_seconds},
          {"status", to_text(report.status)},
          {"summary", report.summary},
          {"profile", json_of(report.profile)},
          {"selection", written(report.selection)},
          {"environment", json_of(report.environment)},
          {"hosts", array_of(report.hosts)},
          {"checks", array_of(report.checks)}};
}

void require_writable(const std::string& started, double duration_seconds, int attempt) {
  if (!started.empty() && !is_time(started)) throw Error(fmt::format("started: '{}' is not a time", started));
  if (duration_seconds < 0) throw Error(fmt::format("duration_seconds: {} is negative", duration_seconds));
  if (attempt < 1) throw Error(fmt::format("attempt: {} is less than 1", attempt));
}

// The pointer to a number that is not finite; nothing where all are.
std::optional<std::string> not_finite(const Json& json) {
  if (json.is_number_float() && !std::isfinite(json.get<double>())) return "";
  if (!json.is_structured()) return std::nullopt;
  for (auto item = json.begin(); item != json.end(); ++item)
    if (const auto pointer = not_finite(*item))
      return "/" + (json.is_object() ? item.key() : std::to_string(item - json.begin())) + *pointer;
  return std::nullopt;
}

}  // namespace

std::string to_json(const Report& report) {
  require_writable(report.started, report.duration_seconds, 1);
  for (const CheckRun& run : report.checks) require_writable(run.started, run.duration_seconds, run.attempt);
  const Json json = json_of(report);
  if (const auto pointer = not_finite(json)) throw Error(*pointer + ": this number is not finite");
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_report(const Report& report, const std::filesystem::path& file) {
  std::string text;
  try {
    text = to_json(report);
  } catch (const Error& error) {
    throw Error(fmt::format("cannot write {}: {}", file.string(), error.what()));
  }
  write_atomically(file, text);
}

}  // namespace muster::results
