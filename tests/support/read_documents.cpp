// SPDX-License-Identifier: Apache-2.0
// Reads many documents, whose paths come on stdin, and prints what it makes of each as a line of JSON:
// read_documents reports           each as a report, by the strict reader and by that of a fleet
// read_documents profiles REPORT   each as a profile, and judges the report by it
// read_documents judge PROFILE     each as a report, and judges it by the profile
#include <algorithm>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/expectations/profile_lint.hpp"
#include "healthcheck/fleet/node_report.hpp"
#include "healthcheck/judge/judge.hpp"
#include "healthcheck/program/error.hpp"
#include "results/json/report_json.hpp"
#include "results/system/file.hpp"
#include "tests/support/files.hpp"

namespace {

using namespace muster;
using Json = nlohmann::json;
using healthcheck::Faults;
using healthcheck::Profile;
using results::Report;

std::filesystem::path data(std::string_view name) { return tests::source_folder() / "healthcheck" / name; }

// Each as a list: check, status, metric, labels, fault.
Json verdicts(const Report& report) {
  std::vector<Json> all;
  for (const auto& run : report.checks)
    for (const auto& each : run.verdicts)
      all.push_back({run.check, to_text(each.status), each.metric, each.labels, each.fault});
  return all;
}

// Of all verdicts, in whatever order they are.
std::string digest(const Report& report) {
  std::vector<std::string> all;
  for (const auto& run : report.checks)
    for (const auto& each : run.verdicts)
      all.push_back(Json{run.check, run.host, to_text(each.status), each.metric, each.labels, each.fault}.dump());
  std::ranges::sort(all);
  return results::sha256(Json(all).dump());
}

template <typename Read>
Json tried(Read read) {
  try {
    return read();
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

Json as_report(const std::string& path) {
  const auto text = results::read_text(path);
  std::optional<results::ReportSummary> summary;
  const auto strictly = tried([&]() -> Json {
    const auto report = results::report_from_json(text);
    summary = results::summary_of(report, 8);
    return {{"status", to_text(report.status)}, {"verdicts", digest(report)}};
  });
  const auto of_a_fleet = tried([&]() -> Json {
    const auto read = healthcheck::fleet::NodeReportReader().read(text);
    if (!read || !read->is_whole) return {{"error", "it is another document"}};
    return {{"status", to_text(read->summary.status)}, {"same", summary == read->summary}};
  });
  return {{"strict", strictly}, {"fleet", of_a_fleet}};
}

Report judged(Report report, const Profile& profile) {
  static const Faults faults(data("faults.json"));
  return judge(std::move(report), profile, faults);
}

Json as_profile(const std::string& path, const Report& report) {
  static const healthcheck::Metrics metrics(data("metrics.json"));
  static const Faults faults(data("faults.json"));
  const auto findings = lint_profile(path, metrics, faults);
  auto read = tried([&]() -> Json {
    const auto profile = healthcheck::read_profile(path);
    if (!findings.empty()) throw healthcheck::UsageError(findings.front());
    validate(profile, faults);
    const auto made = judged(report, profile);
    return {{"status", to_text(made.status)}, {"verdicts", digest(made)}};
  });
  read["findings"] = findings;
  return read;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto& mode = words.at(0);
  const auto report = mode == "profiles" ? results::read_report(words.at(1)) : Report{};
  const auto profile = mode == "judge" ? healthcheck::read_profile(words.at(1)) : Profile{};
  std::string path;
  while (std::getline(std::cin, path)) {
    Json line = tried([&]() -> Json {
      if (mode == "reports") return as_report(path);
      if (mode == "profiles") return as_profile(path, report);
      const auto made = judged(results::read_report(path), profile);
      return {{"status", to_text(made.status)}, {"verdicts", verdicts(made)}};
    });
    line["path"] = path;
    std::cout << line.dump(-1, ' ', true, Json::error_handler_t::replace) << '\n';
  }
}
