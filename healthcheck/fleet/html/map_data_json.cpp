// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "healthcheck/fleet/html/fleet_page.hpp"
#include "results/html/escape.hpp"

// Columns rather than objects: 10,000 nodes are a few strings, and every text is there once.
namespace muster::healthcheck::fleet::html {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_of_problems = 1'500'000;  // bytes
constexpr std::size_t max_name = 80, max_text = 220, max_checks = 200;

char letter_of_state(const FleetNode& node) {
  if (node.coverage == Coverage::missing) return 'm';
  if (node.coverage == Coverage::skipped) return 'k';
  return letter_of(node.status);
}

// Texts, each once, and what they take.
class Texts {
 public:
  std::size_t number(const std::string& any) {
    const auto text = results::html::plain(any, max_text);
    const auto [at, is_new] = numbers_.try_emplace(text, all_.size());
    if (is_new) {
      all_.push_back(text);
      bytes_ += text.size() + 3;
    }
    return at->second;
  }

  const std::vector<std::string>& all() const { return all_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> all_;
  std::size_t bytes_ = 0;
};

Json row(std::size_t node, const results::SummaryProblem& problem, Texts& texts) {
  const auto labels = results::to_text(problem.labels);
  return {node,
          std::string(1, letter_of(problem.status)),
          texts.number(problem.metric.empty() ? problem.check : problem.metric),
          texts.number(labels),
          texts.number(problem.reason),
          texts.number(problem.action),
          problem.count};
}

// The worst of every node first, then the second of each, and so on, until there is no more room.
Json problems(const FleetReport& report, Texts& texts) {
  auto rows = Json::array();
  std::size_t most = 0;
  for (const auto& node : report.nodes) most = std::max(most, node.problems.size());
  for (std::size_t round = 0; round < most; ++round)
    for (std::size_t i = 0; i < report.nodes.size(); ++i) {
      if (round >= report.nodes[i].problems.size()) continue;
      if (texts.bytes() + 40 * rows.size() > most_of_problems) return rows;
      rows.push_back(row(i, report.nodes[i].problems[round], texts));
    }
  return rows;
}

}  // namespace

std::string map_data(const FleetReport& report) {
  Texts texts;
  Json names = Json::array(), checks = Json::array(), cells = Json::array(), reasons = Json::object();
  std::string states;
  const auto count = std::min(report.checks.size(), max_checks);
  for (std::size_t i = 0; i < count; ++i) checks.push_back(results::html::plain(report.checks[i], max_name));
  Json before = Json::object();
  for (std::size_t i = 0; i < report.nodes.size(); ++i) {
    const auto& node = report.nodes[i];
    names.push_back(results::html::plain(node.name, max_name));
    states += letter_of_state(node);
    cells.push_back(node.checks.substr(0, count));
    if (!node.reason.empty() && texts.bytes() < most_of_problems)
      reasons[std::to_string(i)] = texts.number(node.reason);
    if (!node.before.empty() && node.before != state(node)) before[std::to_string(i)] = node.before;
  }
  auto rows = problems(report, texts);
  const Json data{{"checks", checks},   {"names", names},   {"states", states}, {"cells", cells},
                  {"reasons", reasons}, {"before", before}, {"problems", rows}, {"texts", texts.all()}};
  auto text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size() + 1'000);
  for (const char letter : text) {
    if (letter == '<')
      safe += "\\u003c";
    else
      safe += letter;
  }
  return safe;
}

}  // namespace muster::healthcheck::fleet::html
