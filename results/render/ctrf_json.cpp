// SPDX-License-Identifier: Apache-2.0
#include "results/render/ctrf_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "results/render/text.hpp"
#include "results/strings/utf8.hpp"

namespace muster::results {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr double most_milliseconds = 1e15;  // 30,000 years; integers up to 2^53 are exact everywhere

std::int64_t milliseconds(double seconds) { return std::llround(std::clamp(1000 * seconds, 0.0, most_milliseconds)); }

// Since 1970; 0 where it is not known.
std::int64_t instant(const std::string& text) {
  const auto time = time_from(text);
  return time ? std::max<std::int64_t>(0, std::int64_t{1000} * time->time_since_epoch().count()) : 0;
}

std::string_view ctrf_status(Status status) {
  switch (status) {
    case Status::pass:
    case Status::warn:
      return "passed";
    case Status::unknown:
    case Status::fail:
      return "failed";
    case Status::skip:
      break;
  }
  return "skipped";
}

// A text that says something, where the schema wants one.
std::string filled(const std::string& text) { return text.empty() ? "?" : printable(text); }

OrderedJson test_of(const Case& each, const Suite& suite) {
  OrderedJson test{{"name", filled(each.name)},
                   {"status", ctrf_status(each.status)},
                   {"duration", milliseconds(each.seconds)},
                   {"suite", OrderedJson::array({filled(suite.name)})},
                   {"rawStatus", to_text(each.status)}};
  if (each.status != Status::pass || !each.reason.empty()) test["message"] = printable(each.reason);
  if (each.status >= Status::warn) test["trace"] = details(each);
  if (!each.fault.empty()) test["tags"] = OrderedJson::array({printable(each.fault)});
  if (!suite.place.empty()) test["labels"]["host"] = printable(suite.place);
  return test;
}

}  // namespace

std::string ctrf(const Cases& cases) {
  std::map<std::string_view, std::size_t> counts{{"passed", 0}, {"failed", 0}, {"skipped", 0}};
  OrderedJson tests = OrderedJson::array();
  for (const Suite& suite : cases.suites)
    for (const Case& each : suite.cases) {
      ++counts[ctrf_status(each.status)];
      tests.push_back(test_of(each, suite));
    }
  const auto start = instant(cases.started);
  OrderedJson tool{{"name", "muster"}, {"version", printable(cases.version)}};
  OrderedJson summary{{"tests", tests.size()},
                      {"passed", counts["passed"]},
                      {"failed", counts["failed"]},
                      {"skipped", counts["skipped"]},
                      {"pending", 0},
                      {"other", 0},
                      {"suites", cases.suites.size()},
                      {"start", start},
                      {"stop", start + milliseconds(cases.seconds)}};
  OrderedJson json{{"reportFormat", "CTRF"}, {"specVersion", "0.0.0"}, {"generatedBy", "muster"}};
  if (!cases.run_id.empty()) json["runId"] = printable(cases.run_id);
  json["results"] = {{"tool", tool}, {"summary", summary}, {"tests", tests}};
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string to_ctrf(const Report& report, const View&) { return ctrf(cases_of(report)); }

}  // namespace muster::results
