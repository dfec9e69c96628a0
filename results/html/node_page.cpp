// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/html/check_section.hpp"
#include "results/html/document.hpp"
#include "results/html/escape.hpp"
#include "results/html/picture.hpp"
#include "results/html/series.hpp"
#include "results/render/numbers.hpp"
#include "results/render/text.hpp"
#include "results/values/merged_labels.hpp"
#include "results/values/merged_runs.hpp"
#include "results/values/problems.hpp"

// The page of a report: what is wrong and what to do first, then what was measured.
namespace muster::results {
namespace html {
namespace {

constexpr std::size_t most_of_page = 396'000;  // bytes; a page has 400 KB at most
constexpr std::size_t most_of_problems = 70'000, most_of_pictures = 170'000, most_of_facts = 20'000;
constexpr std::size_t open_problems = 12;
constexpr std::size_t max_text = 1'500;  // bytes of a reason or an action

std::string place_of(const Report& report) {
  if (report.hosts.empty()) return "no host";
  return report.hosts.size() == 1 ? report.hosts[0].name : fmt::format("{} hosts", report.hosts.size());
}

std::string head(const Report& report) {
  auto text = fmt::format(
      "<header class=\"top {}\">\n<p class=\"kind\">muster report</p>\n<h1>{}</h1>\n<p class=\"verdict\">{} "
      "<span>{}</span></p>\n"
      "<dl class=\"facts\">",
      to_text(report.status), escaped(place_of(report), 200), badge(report.status), escaped(report.summary, max_text));
  text += fact("Started", report.started) + fact("Took", to_text(Quantity{report.duration_seconds, Unit::second})) +
          fact("Tier", to_text(report.selection.tier)) + fact("muster", report.version) +
          fact("Profile", report.profile.name) + fact("Chosen by", report.profile.chosen_by) +
          fact("Doubt", report.profile.doubt);
  return text + "</dl>\n</header>\n";
}

// What was said of one component, or of several that are alike.
std::string where(const Problem& problem, bool several_hosts) {
  std::vector<Labels> labels;
  for (const Verdict& verdict : problem.alike) labels.push_back(verdict.labels);
  if (labels.empty()) labels.push_back(problem.verdict.labels);
  for (auto& each : labels) make_short(each);
  if (labels.size() > 200) return fmt::format("{} components", labels.size());
  std::string text = several_hosts ? problem.host : "";
  for (const Labels& each : merged(std::move(labels)))
    if (!each.empty()) text += (text.empty() ? "" : "; ") + to_text(each);
  return text;
}

std::string metrics_of(const Problem& problem) {
  std::set<std::string> metrics{problem.verdict.metric};
  for (const Verdict& verdict : problem.alike) metrics.insert(verdict.metric);
  std::string text;
  for (const auto& each : metrics) text += (text.empty() ? "" : ", ") + each;
  return text;
}

std::string card(const Problem& problem, bool several_hosts) {
  const Verdict& verdict = problem.verdict;
  auto text = fmt::format("<li class=\"problem {}\">\n<h3>{} <span class=\"metric\">{}</span>", to_text(verdict.status),
                          badge(verdict.status), escaped(metrics_of(problem), 300));
  if (const auto at = where(problem, several_hosts); !at.empty())
    text += fmt::format(" <span class=\"at\">{}</span>", escaped(at, 600));
  if (!verdict.fault.empty())
    text += fmt::format(" <code class=\"code\">muster explain {}</code>", escaped(verdict.fault, 100));
  text += fmt::format(
      "</h3>\n<p class=\"reason\">{}",
      escaped(verdict.reason.empty() && verdict.value ? to_text(*verdict.value) : verdict.reason, max_text));
  if (!verdict.expected.empty() && verdict.reason.find(verdict.expected) == verdict.reason.npos)
    text += fmt::format(" <span class=\"expected\">expected: {}</span>", escaped(verdict.expected, 300));
  text += "</p>\n";
  if (!verdict.action.empty())
    text += fmt::format("<p class=\"do\"><strong>Do:</strong> {}</p>\n", escaped(verdict.action, max_text));
  return text + "</li>\n";
}

std::string problem_section(const Report& report) {
  const auto found = together(problems(report));
  if (found.empty()) {
    const auto* words = report.status == Status::pass ? "Nothing. Every expectation that was judged is met."
                                                      : "Nothing was found, and little was judged.";
    return fmt::format(
        "<section aria-labelledby=\"attention\">\n<h2 id=\"attention\">What needs attention</h2>\n<p "
        "class=\"calm\">{}</p>\n</section>\n",
        judges_no_speed(report)
            ? "Nothing of what was judged; but no speed was judged. muster calibrate makes a profile that does."
            : words);
  }
  std::string text =
      "<section aria-labelledby=\"attention\">\n<h2 id=\"attention\">What needs attention</h2>\n<ol "
      "class=\"problems\">\n";
  std::size_t shown = 0;
  for (; shown < found.size(); ++shown) {
    auto one = card(found[shown], report.hosts.size() > 1);
    if (text.size() + one.size() > most_of_problems) break;
    if (shown == open_problems)
      text += fmt::format("</ol>\n<details><summary>and {} more</summary>\n<ol class=\"problems\">\n",
                          found.size() - shown);
    text += one;
  }
  text += shown > open_problems ? "</ol>\n</details>\n" : "</ol>\n";
  if (shown < found.size())
    text += fmt::format("<p class=\"more\">and {} more, which muster report --all shows</p>\n", found.size() - shown);
  return text + "</section>\n";
}

std::string picture_section(const Report& report) {
  std::string text;
  for (const Picture& picture : pictures(report)) {
    const bool has_room = text.size() + picture.drawing.size() < most_of_pictures - 40'000;
    auto one = figure(picture, has_room ? 60'000 : 0);
    if (text.size() + one.size() > most_of_pictures) continue;
    text += one;
  }
  return text.empty() ? ""
                      : "<section aria-labelledby=\"pictures\">\n<h2 id=\"pictures\">What was found</h2>\n" + text +
                            "</section>\n";
}

std::string fact_section(const Report& report) {
  std::vector<Row> rows;
  for (const Host& host : report.hosts)
    for (const auto& [name, value] : host.fingerprint)
      rows.push_back({name, report.hosts.size() > 1 ? host.name + ": " + value : value});
  for (const auto& [name, value] : report.environment) rows.push_back({name, value});
  rows.push_back({"run", report.run_id});
  rows.push_back({"profile", fmt::format("{}, {}", report.profile.name, report.profile.sha256)});
  return "<section aria-labelledby=\"about\">\n<h2 id=\"about\">This machine and this run</h2>\n" +
         table({"What", "Value"}, rows,
               {.caption = "What identifies the machine and the run", .id = "facts", .most = most_of_facts}) +
         "</section>\n";
}

std::string check_sections(const Report& report, std::size_t most) {
  std::string text = "<section aria-labelledby=\"checks\">\n<h2 id=\"checks\">Checks</h2>\n";
  std::map<std::string, std::string> skipped;  // checks by why they measured nothing
  std::size_t number = 0, left_out = 0;
  auto runs = merged(report.checks);
  std::ranges::stable_sort(runs, std::ranges::greater(), &CheckRun::status);
  for (const CheckRun& run : runs) {
    if (run.status == Status::skip && run.outcome == Outcome::skipped) {
      auto& names = skipped[run.reason];
      names += (names.empty() ? "" : ", ") + run.check;
      continue;
    }
    const auto room = most - std::min(most, text.size() + 8'000);
    if (room < 2'000)
      ++left_out;
    else
      text += check_section(run, ++number, report.hosts.size() > 1, room);
  }
  if (left_out > 0)
    text += fmt::format("<p class=\"more\">and {} more checks, which muster report --all shows</p>\n", left_out);
  std::vector<Row> reasons;
  for (const auto& [reason, names] : skipped) reasons.push_back({reason, names});
  if (!reasons.empty())
    text +=
        "<h3>Not measured</h3>\n" +
        table({"Why", "Checks"}, reasons, {.caption = "Checks that measured nothing", .id = "skipped", .most = 5'000});
  return text + "</section>\n";
}

}  // namespace
}  // namespace html

std::string to_html(const Report& report, const View& /*view*/) {
  const auto first = html::head(report) + "<main>\n" + html::problem_section(report) + html::picture_section(report);
  const auto last = html::fact_section(report) + "</main>\n" + html::footer(report.version);
  const auto title = fmt::format("{}: {}", html::place_of(report), to_text(report.status));
  const auto frame = html::document(title, "").size();
  const auto used = frame + first.size() + last.size();
  return html::document(
      title, first + html::check_sections(report, html::most_of_page - std::min(html::most_of_page, used)) + last);
}

}  // namespace muster::results
