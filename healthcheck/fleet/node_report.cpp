// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/node_report.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <string_view>

#include "healthcheck/fleet/read_rates.hpp"
#include "healthcheck/fleet/read_report.hpp"
#include "results/json/report_json.hpp"
#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr std::size_t max_problems = 8;  // of a node, in what is told of a fleet

}  // namespace

struct NodeReportReader::Parser {
  simdjson::dom::parser json;
  Facts facts;
  RateReader rates;

  Read read(const std::string& text, const element& whole) {
    Read read{.is_whole = true};
    auto report = quickly_read(whole, facts, rates);
    if (!report) {
      report = results::report_from_json(text);
      rates.read(whole);
    }
    read.summary = results::summary_of(*report, max_problems);
    for (const auto& run : report->checks) {
      if (run.outcome == results::Outcome::finished) read.finished.push_back(run.check);
      worsen(read.checks, {.check = rates.number_of_check(run.check), .status = run.status});
    }
    read.rates = rates.rates();
    return read;
  }
};

NodeReportReader::NodeReportReader() : parser_(std::make_unique<Parser>()) {}
NodeReportReader::~NodeReportReader() = default;

const RateTexts& NodeReportReader::texts() const { return parser_->rates.texts(); }

std::optional<NodeReportReader::Read> NodeReportReader::read(const std::string& json) {
  element whole;
  if (const auto error = parser_->json.parse(json).get(whole); error != simdjson::SUCCESS || !whole.is_object()) {
    results::report_from_json(json);  // knows what is wrong
    throw results::Error(fmt::format("this is not a report: {}", simdjson::error_message(error)));
  }
  const auto has = [&](std::string_view name) { return whole[name].error() == simdjson::SUCCESS; };
  if (has("boot_id") && has("counters") && !has("tool")) return std::nullopt;  // what --state of a node left
  std::string_view tool;
  if (whole["tool"]["name"].get(tool) != simdjson::SUCCESS || tool != "muster")
    throw results::Error("this is not a report of muster");
  const bool is_whole = has("checks") || has("hosts");
  if (has("nodes") && !is_whole) return std::nullopt;
  auto read = is_whole ? parser_->read(json, whole) : Read{.summary = results::summary_from_json(json)};
  if (read.summary.problems.size() > max_problems) {
    for (auto each = read.summary.problems.begin() + max_problems; each != read.summary.problems.end(); ++each)
      read.summary.omitted += each->count;
    read.summary.problems.resize(max_problems);
  }
  if (read.summary.host_count != 1)
    throw results::Error(fmt::format("it is about {} hosts, and not about one node", read.summary.host_count));
  if (!results::time_from(read.summary.started))
    throw results::Error("started: it is empty, so that the report belongs to no run");
  return read;
}

}  // namespace muster::healthcheck::fleet
