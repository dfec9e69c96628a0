// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "healthcheck/fleet/html/fleet_page.hpp"
#include "results/html/document.hpp"
#include "results/html/escape.hpp"

// What is wrong in the fleet: a fault once, with the nodes that have it.
namespace muster::healthcheck::fleet::html {
namespace {

using results::Row;
using results::Status;
using results::html::badge;
using results::html::escaped;

constexpr std::size_t open_faults = 10, max_faults = 60, max_names = 24, max_words = 600;

struct Fault {
  Status status = Status::warn;
  std::string what, code, reason, action;
  std::vector<std::string> nodes;
};

std::vector<Fault> faults_of(const FleetReport& report) {
  std::map<std::tuple<Status, std::string, std::string>, Fault> found;
  const auto add = [&](Status status, const std::string& what, const std::string& code, const std::string& reason,
                       const std::string& action, const std::string& node) {
    auto& fault = found[{status, what, code}];
    if (fault.nodes.empty()) fault = {status, what, code, reason, action, {}};
    if (fault.nodes.empty() || fault.nodes.back() != node) fault.nodes.push_back(node);
  };
  for (const auto& node : report.nodes) {
    if (node.coverage == Coverage::missing || node.coverage == Coverage::skipped)
      add(node.coverage == Coverage::missing ? Status::fail : Status::warn, std::string(state(node)), "", node.reason,
          "", node.name);
    for (const auto& problem : node.problems)
      add(problem.status, problem.metric.empty() ? problem.check : problem.metric, problem.fault, problem.reason,
          problem.action, node.name);
  }
  std::vector<Fault> faults;
  for (auto& [key, fault] : found) faults.push_back(std::move(fault));
  std::ranges::stable_sort(faults, std::greater{},
                           [](const Fault& each) { return std::pair(each.status, each.nodes.size()); });
  return faults;
}

std::string names_of(const std::vector<std::string>& nodes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(nodes.size(), max_names); ++i)
    text += (text.empty() ? "" : ", ") + escaped(nodes[i], 80);
  return nodes.size() > max_names ? fmt::format("{} and {} more", text, nodes.size() - max_names) : text;
}

std::string card(const Fault& fault) {
  auto text =
      fmt::format("<li class=\"problem {}\">\n<h3>{} <span class=\"metric\">{}</span> <span class=\"at\">{}{}</span>",
                  to_text(fault.status), badge(fault.status), escaped(fault.what, 120),
                  fault.nodes.size() == 1 ? "" : fmt::format("{} nodes: ", fault.nodes.size()), names_of(fault.nodes));
  if (!fault.code.empty())
    text += fmt::format(" <code class=\"code\">muster explain {}</code>", escaped(fault.code, 100));
  text += fmt::format("</h3>\n<p class=\"reason\">{}{}</p>\n", fault.nodes.size() > 1 ? "The first: " : "",
                      escaped(fault.reason, max_words));
  if (!fault.action.empty())
    text += fmt::format("<p class=\"do\"><strong>Do:</strong> {}</p>\n", escaped(fault.action, max_words));
  return text + "</li>\n";
}

}  // namespace

std::string attention_section(const FleetReport& report) {
  std::string text = "<section aria-labelledby=\"attention\">\n<h2 id=\"attention\">What needs attention</h2>\n";
  const auto faults = faults_of(report);
  for (const auto& each : report.peers.divided)
    text += fmt::format("<p class=\"calm\">{} <strong>{}</strong> {}: {}</p>\n", badge(Status::warn),
                        escaped(each.metric, 120), escaped(results::to_text(each.labels), 200),
                        escaped(each.reason, max_words));
  if (faults.empty()) return text + "<p class=\"calm\">Nothing: no node has a problem.</p>\n</section>\n";
  text += "<ol class=\"problems\">\n";
  const auto shown = std::min(faults.size(), max_faults);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i == open_faults)
      text +=
          fmt::format("</ol>\n<details><summary>and {} more</summary>\n<ol class=\"problems\">\n", faults.size() - i);
    text += card(faults[i]);
  }
  text += shown > open_faults ? "</ol>\n</details>\n" : "</ol>\n";
  if (faults.size() > max_faults)
    text += fmt::format("<p class=\"more\">and {} more kinds of problems, which the report has</p>\n",
                        faults.size() - max_faults);
  return text + "</section>\n";
}

std::string node_section(const FleetReport& report) {
  std::vector<Row> rows;
  std::size_t fit = 0;
  for (const auto& node : report.nodes) {
    if (node.status == Status::pass) {
      ++fit;
      continue;
    }
    std::vector<std::string> words;
    if (!node.reason.empty()) words.push_back(node.reason);
    for (const auto& each : node.problems) words.push_back(fmt::format("{}: {}", each.metric, each.reason));
    rows.push_back({node.name, std::string(state(node)), fmt::format("{}", fmt::join(words, "; "))});
  }
  auto text = fmt::format(
      "<section aria-labelledby=\"nodes\" class=\"later\">\n<h2 id=\"nodes\">Nodes that did not pass</h2>\n<p>{} of {} "
      "nodes passed.</p>\n",
      fit, report.nodes.size());
  if (!rows.empty())
    text +=
        results::html::table({"Node", "State", "Why"}, rows,
                             {.caption = "Nodes that did not pass, worst first", .id = "node-table", .most = 150'000});
  return text + "</section>\n";
}

}  // namespace muster::healthcheck::fleet::html
