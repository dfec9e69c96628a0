// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "healthcheck/fleet/html/fleet_page.hpp"
#include "results/html/document.hpp"
#include "results/html/escape.hpp"

// Who was tested, what changed since the report before, and how each check ended over all nodes.
namespace muster::healthcheck::fleet::html {
namespace {

using results::Row;
using results::Status;
using results::html::escaped;
using results::html::table;

constexpr std::array worst_first{Status::fail, Status::unknown, Status::warn, Status::pass, Status::skip};

// "1.2 %", and no more than there is.
std::string share(std::size_t part, std::size_t whole) {
  return whole == 0 ? "" : results::percent(static_cast<double>(part) / static_cast<double>(whole));
}

// Parts of a whole side by side, the first on the left; their row has the numbers.
std::string bar(const std::array<std::size_t, 6>& parts, std::size_t whole) {
  constexpr double width = 220;
  constexpr std::array<std::string_view, 6> classes{"fail", "unknown", "warn", "pass", "skip", "none"};
  std::string text = fmt::format(R"(<svg class="bar" viewBox="0 0 {:g} 12" aria-hidden="true">)", width);
  double at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts.at(i) == 0) continue;
    const double least = i < 3 ? 2.5 : 0;  // one node in ten thousand that fails is seen
    const double size = std::max(least, width * static_cast<double>(parts.at(i)) / static_cast<double>(whole));
    text += fmt::format(R"(<rect class="p-{}" x="{:.1f}" y="0" width="{:.1f}" height="12"/>)", classes.at(i), at,
                        std::max(0.0, std::min(size, width - at)));
    at += size;
  }
  return text + "</svg>";
}

struct Change {
  std::string title;
  std::vector<Row> rows;
};

}  // namespace

std::string change_section(const FleetReport& report) {
  if (!report.previous) return "";
  Change worse{"Worse", {}}, better{"Better", {}}, other{"Otherwise", {}}, fresh{"New", {}}, gone{"Gone", {}};
  for (const auto& node : report.nodes) {
    const auto now = std::string(state(node));
    if (node.before == now) continue;
    const auto why = !node.reason.empty() ? node.reason : node.problems.empty() ? "" : node.problems.front().reason;
    const auto by = node.before.empty() ? 0 : badness(node) - badness(node.before);
    auto& change = node.before.empty() ? fresh : by > 0 ? worse : by < 0 ? better : other;
    change.rows.push_back({node.name, node.before, now, why});
  }
  for (const auto& name : report.gone) gone.rows.push_back({name, "", "gone", "it is no longer among the nodes"});
  std::string text =
      fmt::format("<section aria-labelledby=\"changes\">\n<h2 id=\"changes\">What changed since {}</h2>\n",
                  escaped(report.previous->made, 40));
  bool is_same = true;
  for (const auto* change : {&worse, &better, &other, &fresh, &gone}) {
    if (change->rows.empty()) continue;
    is_same = false;
    const auto title =
        fmt::format("{}: {} node{}", change->title, change->rows.size(), change->rows.size() == 1 ? "" : "s");
    text += fmt::format("<details{}><summary>{}</summary>\n", change == &worse ? " open" : "", title) +
            table({"Node", "Before", "Now", "Why"}, change->rows,
                  {.caption = title, .id = "change-" + change->title, .most = 40'000}) +
            "</details>\n";
  }
  if (is_same) text += "<p class=\"calm\">Nothing: every node is as it was.</p>\n";
  return text + "</section>\n";
}

std::string coverage_section(const FleetReport& report) {
  constexpr std::array<std::pair<Coverage, std::string_view>, 5> kinds{
      std::pair{Coverage::tested, "were to be tested, and were"}, std::pair{Coverage::twice, "left several reports"},
      std::pair{Coverage::missing, "left no report that counts"}, std::pair{Coverage::skipped, "were in use"},
      std::pair{Coverage::unexpected, "were tested, and nobody expected them"}};
  std::vector<Row> rows;
  for (const auto& [coverage, meaning] : kinds) {
    const auto count = static_cast<std::size_t>(std::ranges::count(report.nodes, coverage, &FleetNode::coverage));
    rows.push_back({std::string(to_text(coverage)), std::to_string(count), share(count, report.nodes.size()),
                    std::string(meaning)});
  }
  auto text = "<section aria-labelledby=\"coverage\">\n<h2 id=\"coverage\">Coverage</h2>\n" +
              table({"Coverage", "Nodes", "Share", "They"}, rows,
                    {.caption = "How many nodes were tested", .id = "coverage-table", .numbers = {1, 2}});
  if (!report.unreadable.empty()) {
    std::vector<Row> files;
    for (const auto& each : report.unreadable) files.push_back({each.path, each.reason});
    text += table({"File", "What is wrong with it"}, files,
                  {.caption = "Files that are no report", .id = "unreadable", .most = 40'000, .caption_is_seen = true});
  }
  return text + "</section>\n";
}

std::string check_section(const FleetReport& report) {
  if (report.checks.empty()) return "";
  std::string text =
      "<section aria-labelledby=\"checks\">\n<h2 id=\"checks\">Checks over all nodes</h2>\n<div class=\"wide\" "
      "role=\"group\" "
      "aria-label=\"Checks over all nodes\" tabindex=\"0\"><table class=\"checks\"><caption class=\"spoken\">How each "
      "check ended, in "
      "nodes</caption>\n<thead><tr><th scope=\"col\">Check</th><td></td>";
  for (const auto status : worst_first) text += fmt::format(R"(<th scope="col" class="n">{}</th>)", to_text(status));
  text += "<th scope=\"col\" class=\"n\">not run</th></tr></thead>\n<tbody>\n";
  for (std::size_t check = 0; check < std::min<std::size_t>(report.checks.size(), 300); ++check) {
    std::array<std::size_t, 6> counts{};
    for (const auto& node : report.nodes) {
      const auto status = check < node.checks.size() ? status_of(node.checks[check]) : std::nullopt;
      ++counts.at(status ? static_cast<std::size_t>(std::ranges::find(worst_first, *status) - worst_first.begin()) : 5);
    }
    text += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>", escaped(report.checks[check], 80),
                        bar(counts, report.nodes.size()));
    for (std::size_t i = 0; i < counts.size(); ++i)
      text += counts.at(i) == 0
                  ? std::string("<td class=\"n zero\">0</td>")
                  : fmt::format("<td class=\"n{}\">{}</td>",
                                i < 3 ? fmt::format(" t-{}", to_text(worst_first.at(i))) : "", counts.at(i));
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n</section>\n";
}

}  // namespace muster::healthcheck::fleet::html
