// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/html/fleet_page.hpp"

#include <fmt/format.h>

#include "results/html/document.hpp"
#include "results/html/escape.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::html::escaped;
using results::html::fact;

std::string head(const FleetReport& report) {
  auto text = fmt::format(
      "<header class=\"top\">\n<p class=\"kind\">muster fleet report</p>\n<h1>{} node{}</h1>\n"
      "<p class=\"verdict\">{} <span>{}</span></p>\n<dl class=\"facts\">",
      report.nodes.size(), report.nodes.size() == 1 ? "" : "s", results::html::badge(report.status),
      escaped(report.summary, 1'000));
  text += fact("Made", report.made) + fact("Runs since", report.since) +
          fact("Compared with", report.previous ? report.previous->made : "") + fact("muster", report.version) +
          fact("Values held against peers",
               report.peers.values > 0 ? fmt::format("{} of {} nodes", report.peers.values, report.peers.nodes) : "");
  return text + "</dl>\n</header>\n";
}

}  // namespace

std::string to_html(const FleetReport& report) {
  const auto body = head(report) + "<main>\n" + html::attention_section(report) + html::change_section(report) +
                    html::map_section(report) + html::check_section(report) + html::metric_section(report) +
                    html::coverage_section(report) + html::node_section(report) + "</main>\n" +
                    results::html::footer(report.version) + R"(<script type="application/json" id="data">)" +
                    html::map_data(report) + "</script>\n";
  return results::html::document(fmt::format("Fleet of {} nodes: {}", report.nodes.size(), to_text(report.status)),
                                 body, html::assets::style, html::assets::script);
}

}  // namespace muster::healthcheck::fleet
