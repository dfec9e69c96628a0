// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "healthcheck/fleet/fleet_report.hpp"
#include "results/render/text.hpp"
#include "results/strings/table.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

constexpr std::size_t max_lines = 4;  // of a node; the report has more

std::string word(const FleetNode& node) { return results::capitals(state(node)); }

std::string sentence(const results::SummaryProblem& problem) {
  const auto labels = results::to_text(problem.labels);
  auto text = fmt::format("{}{}{}: {}", problem.metric, labels.empty() ? "" : " ", labels, problem.reason);
  if (problem.count > 1) text += fmt::format(" ({} times)", problem.count);
  return problem.fault.empty() ? text : fmt::format("{} [{}]", text, problem.fault);
}

std::vector<std::string> sentences(const FleetNode& node) {
  std::vector<std::string> lines;
  if (!node.reason.empty()) lines.push_back(node.reason);
  std::size_t more = node.omitted;
  for (const auto& problem : node.problems) {
    if (lines.size() < max_lines)
      lines.push_back(sentence(problem));
    else
      more += problem.count;
  }
  if (more > 0) lines.push_back(fmt::format("and {} more", more));
  if (lines.empty()) lines.emplace_back(to_text(node.status));
  return lines;
}

// How many nodes have each wording of the kernel that muster does not know, most first.
std::vector<std::string> unknown_wordings(const FleetReport& report) {
  std::map<std::string, std::set<std::string>> nodes_by_wording;
  for (const auto& node : report.nodes)
    for (const auto& problem : node.problems)
      if (const auto wording = problem.labels.find("wording"); wording != problem.labels.end())
        nodes_by_wording[wording->second].insert(node.name);
  std::vector<std::pair<std::size_t, std::string>> counts;
  for (const auto& [wording, nodes] : nodes_by_wording) counts.emplace_back(nodes.size(), wording);
  std::ranges::stable_sort(counts, std::ranges::greater(), &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> lines;
  for (const auto& [nodes, wording] : counts)
    lines.push_back(fmt::format("{} {}: {}", nodes, nodes == 1 ? "node" : "nodes", wording));
  return lines;
}

}  // namespace

std::string to_text(const FleetReport& report) {
  std::string text = fmt::format("muster {} fleet, made {}: {}  {}\n", report.version, results::printable(report.made),
                                 results::capitals(to_text(report.status)), results::printable(report.summary));
  std::vector<results::Row> rows;
  for (const auto& node : report.nodes)
    if (node.status != Status::pass) rows.push_back({word(node), node.name});
  const auto width = results::widths(rows);
  if (!rows.empty()) text += "\n";
  for (const auto& node : report.nodes) {
    if (node.status == Status::pass) continue;
    results::Row cells{word(node), node.name};
    const bool is_news = !node.before.empty() && node.before != state(node);
    auto lines = sentences(node);
    if (is_news) lines.front() += fmt::format(" ({} before)", node.before);
    for (const auto& line : lines) {
      text += fmt::format("{}  {}  {}\n", results::padded(cells[0], width[0]), results::padded(cells[1], width[1]),
                          results::printable(line));
      cells = {"", ""};
    }
  }
  if (report.peers.values > 0)
    text += fmt::format("\n{} values of {} nodes were held against other nodes of their kind\n", report.peers.values,
                        report.peers.nodes);
  for (const auto& each : report.peers.divided)
    text +=
        results::printable(fmt::format("{} {}: {}", each.metric, results::to_text(each.labels), each.reason)) + "\n";
  if (!report.gone.empty())
    text += fmt::format("\nGONE since {}\n", results::printable(report.previous ? report.previous->made : ""));
  for (const auto& name : report.gone) text += results::printable(name) + "\n";
  if (const auto lines = unknown_wordings(report); !lines.empty()) {
    text += "\nKERNEL MESSAGES LIKE FAULTS THAT MUSTER DOES NOT KNOW\n";
    for (const auto& line : lines) text += results::printable(line) + "\n";
  }
  if (!report.unreadable.empty()) text += "\nFILES THAT ARE NO REPORT\n";
  for (const auto& file : report.unreadable)
    text += fmt::format("{}: {}\n", results::printable(file.path), results::printable(file.reason));
  return text;
}

}  // namespace muster::healthcheck::fleet
