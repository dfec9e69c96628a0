// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "results/file.hpp"
#include "results/problems.hpp"
#include "results/report_json.hpp"
#include "results/utf8.hpp"

namespace muster::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_bytes = 4096;
constexpr std::size_t most_labels = 6;

Json short_labels(const Labels& labels) {
  Json object = Json::object();
  for (const auto& [name, value] : labels)
    if (object.size() < most_labels) object[shortened(name, 24)] = shortened(value, 48);
  return object;
}

Json short_problem(const Problem& problem) {
  const Verdict& verdict = problem.verdict;
  return {{"status", to_text(verdict.status)},        {"check", shortened(problem.check, 48)},
          {"host", shortened(problem.host, 64)},      {"metric", shortened(verdict.metric, 64)},
          {"labels", short_labels(verdict.labels)},   {"count", count(problem)},
          {"reason", shortened(verdict.reason, 200)}, {"fault", shortened(verdict.fault, 48)},
          {"action", shortened(verdict.action, 160)}};
}

std::size_t verdicts_in(const std::vector<Problem>& list) {
  std::size_t sum = 0;
  for (const Problem& problem : list) sum += count(problem);
  return sum;
}

Json heading(const Report& report, const std::filesystem::path& report_file, std::string_view report_text) {
  const std::string host = report.hosts.empty() ? "" : report.hosts.front().name;
  return {{"schema", 1},
          {"tool", {{"name", "muster"}, {"version", shortened(report.version, 48)}}},
          {"run_id", shortened(report.run_id, 64)},
          {"started", is_time(report.started) ? report.started : ""},
          {"host", shortened(host, 64)},
          {"host_count", report.hosts.size()},
          {"profile", shortened(report.profile.name, 64)},
          {"status", to_text(report.status)},
          {"summary", shortened(report.summary, 240)},
          {"report", {{"path", shortened(report_file.string(), 400)}, {"sha256", sha256(report_text)}}},
          {"problems", Json::array()}};
}

}  // namespace

std::string summary_json(const Report& report, const std::filesystem::path& report_file, std::string_view report_text) {
  const std::vector<Problem> found = problems(report);
  Json json = heading(report, report_file, report_text);
  std::size_t omitted = verdicts_in(found);
  json["omitted"] = omitted;
  std::string text = json.dump() + "\n";
  for (const Problem& problem : found) {
    json["problems"].push_back(short_problem(problem));
    omitted -= count(problem);
    json["omitted"] = omitted;
    std::string longer = json.dump() + "\n";
    if (longer.size() > most_bytes) break;
    text = std::move(longer);
  }
  return text;
}

}  // namespace muster::results
