// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "results/json/report_fields_json.hpp"
#include "results/json/report_json.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/file.hpp"

namespace muster::results {
namespace {

using Json = nlohmann::ordered_json;

Json heading(const ReportSummary& summary, const std::filesystem::path& report_file, std::string_view report_text) {
  return {{"schema", 1},
          {"tool", {{"name", "muster"}, {"version", summary.version}}},
          {"run_id", summary.run_id},
          {"started", summary.started},
          {"host", summary.host},
          {"host_count", summary.host_count},
          {"profile", summary.profile},
          {"selection", written(summary.selection.value_or(Selection()))},
          {"status", to_text(summary.status)},
          {"summary", summary.sentence},
          {"report", {{"path", shortened(report_file.string(), 400)}, {"sha256", sha256(report_text)}}},
          {"problems", Json::array()}};
}

}  // namespace

Json written(const SummaryProblem& problem) {
  return {{"status", to_text(problem.status)}, {"check", problem.check},   {"host", problem.host},
          {"metric", problem.metric},          {"labels", problem.labels}, {"count", problem.count},
          {"reason", problem.reason},          {"fault", problem.fault},   {"action", problem.action}};
}

std::string summary_json(const Report& report, const std::filesystem::path& report_file, std::string_view report_text) {
  const auto summary = summary_of(report, std::numeric_limits<std::size_t>::max());
  Json json = heading(summary, report_file, report_text);
  std::size_t omitted = 0;
  for (const auto& problem : summary.problems) omitted += problem.count;
  json["omitted"] = omitted;
  std::string text = json.dump() + "\n";
  for (const auto& problem : summary.problems) {
    json["problems"].push_back(written(problem));
    omitted -= problem.count;
    json["omitted"] = omitted;
    std::string longer = json.dump() + "\n";
    if (longer.size() > max_summary_bytes) break;
    text = std::move(longer);
  }
  return text;
}

}  // namespace muster::results
