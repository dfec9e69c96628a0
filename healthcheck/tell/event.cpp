// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "healthcheck/marks/node_fitness.hpp"
#include "healthcheck/program/error.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::shortened;

constexpr std::size_t max_id = 128, max_name = 128, max_word = 64, max_reason = 300;

// An id stands in headers, and a source as well.
void expect_source(const std::string& source) {
  const auto is_odd = [](unsigned char letter) {
    return letter <= ' ' || letter > '~' ||
           std::string_view("\"<>\\^`{|}").find(static_cast<char>(letter)) != std::string_view::npos;
  };
  if (source.empty() || source.size() > max_id || std::ranges::any_of(source, is_odd))
    throw UsageError(
        fmt::format("--source: '{}' is not a URI-reference such as /clusters/west", shortened(source, max_id)));
}

std::string id_of(const FleetReport& report) {
  const auto is_good = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.';
  };
  if (report.run_id.empty() || report.run_id.size() > max_id || !std::ranges::all_of(report.run_id, is_good))
    throw UsageError(fmt::format("the report's run_id '{}' cannot be the id of an event: collect the fleet again",
                                 shortened(report.run_id, max_id)));
  return report.run_id;
}

std::string time_of(const FleetReport& report) {
  if (!results::time_from(report.made))
    throw UsageError("the report does not say when it was made, which an event must: collect the fleet again");
  return report.made;
}

ToldNode told(const FleetNode& node) {
  ToldNode made{.name = shortened(node.name, max_name),
                .status = node.status,
                .state = std::string(state(node)),
                .before = shortened(node.before, max_word)};
  if (!node.problems.empty()) {
    const auto& worst = node.problems.front();
    made.check = shortened(worst.check, max_word);
    made.metric = shortened(worst.metric, max_word);
    made.fault = shortened(worst.fault, max_word);
  }
  made.reason = shortened(worst_sentence(node, node.reason), max_reason);
  return made;
}

}  // namespace

FleetEvent event_of(const FleetReport& report, const std::string& source) {
  expect_source(source);
  FleetEvent event{.id = id_of(report),
                   .source = source,
                   .made = time_of(report),
                   .version = shortened(report.version, max_word),
                   .status = report.status,
                   .summary = shortened(report.summary, max_reason),
                   .counts = {{"pass", 0}, {"warn", 0}, {"unknown", 0}, {"fail", 0}, {"missing", 0}, {"skipped", 0}},
                   .nodes = report.nodes.size(),
                   .gone = report.gone.size()};
  for (const auto& node : report.nodes) {
    ++event.counts[std::string(state(node))];
    if (node.status == results::Status::pass) continue;
    if (event.unwell.size() < most_told_nodes)
      event.unwell.push_back(told(node));
    else
      ++event.left_out;
  }
  return event;
}

}  // namespace muster::healthcheck::fleet
