// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "healthcheck/fleet/html/fleet_page.hpp"
#include "results/html/document.hpp"
#include "results/html/escape.hpp"

// How the values of each metric lie over the nodes, and who is out.
namespace muster::healthcheck::fleet::html {
namespace {

using results::html::escaped;

constexpr std::size_t most_of_rows = 600'000;  // bytes
constexpr double box_width = 200;
constexpr std::string_view table_head =
    R"(<div class="wide" role="group" aria-label="How values are spread" tabindex="0">
<table class="spreads"><caption class="spoken">How values are spread over nodes</caption>
<thead><tr><th scope="col">Metric</th><th scope="col" class="n">Nodes</th><td></td><th scope="col" class="n">Median</th>
<th scope="col" class="n">5 to 95 %</th><th scope="col" class="n">Least to greatest</th><th scope="col">Slow beside others</th></tr></thead>
<tbody>
)";

std::string text_of(const MetricSpread& spread, double value) {
  return escaped(results::to_text(results::Quantity{value, spread.unit}));
}

// From the least to the greatest value: a line, a bar from 5 to 95 %, a box of the middle half, and the median;
// outliers are circles. Its row has the numbers.
std::string box(const MetricSpread& spread) {
  const auto& q = spread.quantiles;
  const double low = q.front(), width = q.back() - low;
  const auto at = [&](double value) {
    return 4 + (box_width - 8) * (width > 0 ? std::clamp((value - low) / width, 0.0, 1.0) : 0.5);
  };
  auto text = fmt::format(
      "<svg class=\"box\" viewBox=\"0 0 {:g} 18\" aria-hidden=\"true\"><path class=\"line\" d=\"M{:.1f} 9H{:.1f}\"/>"
      "<path class=\"most\" d=\"M{:.1f} 9H{:.1f}\"/><path class=\"half\" d=\"M{:.1f} 9H{:.1f}\"/><path "
      "class=\"middle\" d=\"M{:.1f} 2V16\"/>",
      box_width, at(low), at(q.back()), at(q[2]), at(q[6]), at(q[3]), at(q[5]), at(q[4]));
  std::set<long> drawn;
  for (const auto& each : spread.outliers)
    if (drawn.insert(std::lround(at(each.value))).second)
      text += fmt::format(R"(<circle cx="{:.1f}" cy="9" r="3"/>)", at(each.value));
  return text + "</svg>";
}

std::string outliers(const MetricSpread& spread) {
  std::string text;
  for (const auto& each : spread.outliers) {
    const auto component = results::to_text(each.component);
    text += fmt::format("<li><strong>{}</strong>{}{} {}</li>", escaped(each.node, 80), component.empty() ? "" : ", ",
                        escaped(component, 80), text_of(spread, each.value));
  }
  if (text.empty()) return "";
  if (spread.slow > spread.outliers.size())
    text += fmt::format("<li>and {} more</li>", spread.slow - spread.outliers.size());
  return "<ul class=\"out\">" + text + "</ul>";
}

std::string row(const MetricSpread& spread, bool several_machines) {
  auto of = results::to_text(spread.labels);
  if (several_machines) of += (of.empty() ? "" : "; ") + spread.profile + ", " + spread.machine;
  const auto& q = spread.quantiles;
  return fmt::format(
      "<tr><th scope=\"row\">{}<span class=\"of\">{}</span></th><td class=\"n\">{}</td><td>{}</td><td "
      "class=\"n\">{}</td>"
      "<td class=\"n\">{} to {}</td><td class=\"n\">{} to {}</td><td>{}</td></tr>\n",
      escaped(spread.metric, 100), escaped(of, 240), spread.nodes, box(spread), text_of(spread, q[4]),
      text_of(spread, q[2]), text_of(spread, q[6]), text_of(spread, q.front()), text_of(spread, q.back()),
      outliers(spread));
}

}  // namespace

std::string metric_section(const FleetReport& report) {
  if (report.metrics.empty()) return "";
  std::set<std::pair<std::string_view, std::string_view>> machines;
  for (const auto& each : report.metrics) machines.emplace(each.profile, each.machine);
  std::string rows;
  std::size_t shown = 0;
  for (; shown < report.metrics.size() && rows.size() < most_of_rows; ++shown)
    rows += row(report.metrics[shown], machines.size() > 1);
  auto text = fmt::format(
      "<section aria-labelledby=\"metrics\" class=\"later\">\n<h2 id=\"metrics\">How values are spread</h2>\n<p "
      "class=\"note\">Of each "
      "rate and time that was "
      "sampled: from the least to the greatest value, with a bar for 5 to 95 %, a box for the middle half, and a line "
      "for the median. Circles "
      "are values that are slow beside those of other nodes{}.</p>\n",
      machines.size() == 1
          ? escaped(fmt::format("; all are of {}, {}", report.metrics.front().profile, report.metrics.front().machine),
                    300)
          : "");
  text += std::string(table_head) + rows + "</tbody></table></div>\n";
  if (shown < report.metrics.size())
    text += fmt::format("<p class=\"more\">and {} more, which the report has</p>\n", report.metrics.size() - shown);
  return text + "</section>\n";
}

std::string map_section(const FleetReport& report) {
  if (report.nodes.empty()) return "";
  return "<section aria-labelledby=\"map\" class=\"live\">\n<h2 id=\"map\">Nodes and checks</h2>\n"
         "<form class=\"tools\" id=\"tools\">\n"
         "<label>Search <input type=\"search\" id=\"search\" autocomplete=\"off\" placeholder=\"node or "
         "problem\"></label>\n"
         "<label>State <select id=\"state\"><option value=\"\">all</option></select></label>\n"
         "<label>Check <select id=\"check\"><option value=\"\">any</option></select></label>\n"
         "<label>Order <select id=\"order\"><option value=\"worst\">worst first</option><option "
         "value=\"name\">name</option></select></label>\n"
         "</form>\n<p id=\"count\" class=\"note\" role=\"status\"></p>\n"
         "<div class=\"map\">\n<canvas id=\"overview\" width=\"120\" height=\"440\" aria-hidden=\"true\"></canvas>\n"
         "<div id=\"scroll\" class=\"scroll\" role=\"group\" aria-label=\"Nodes and checks\" tabindex=\"0\"><table "
         "id=\"grid\">"
         "<caption class=\"spoken\">Nodes and how each check ended there</caption><thead><tr "
         "id=\"heads\"></tr></thead><tbody id=\"body\"></tbody></table></div>\n"
         "</div>\n<div id=\"detail\" class=\"detail\" role=\"group\" aria-label=\"The chosen node\" "
         "aria-live=\"polite\">"
         "<p class=\"note\">Rest on a node, or choose it, and its problems stand here.</p></div>\n"
         "<noscript><p class=\"calm\">This map needs the script of this page; the tables below have the "
         "same.</p></noscript>\n</section>\n";
}

}  // namespace muster::healthcheck::fleet::html
