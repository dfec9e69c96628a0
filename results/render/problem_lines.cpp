// SPDX-License-Identifier: Apache-2.0
#include "results/render/problem_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "results/render/text_lines.hpp"
#include "results/values/merged_labels.hpp"
#include "results/values/problems.hpp"

namespace muster::results {
namespace {

// What was found against what was expected.
std::string finding(const Verdict& verdict) {
  std::string text = verdict.reason;
  if (text.empty() && verdict.value) text = to_text(*verdict.value);
  if (verdict.expected.empty() || text.find(verdict.expected) != text.npos) return text;
  return text + (text.empty() ? "expected: " : "; expected: ") + verdict.expected;
}

// What to do, with the code that `muster explain` takes.
std::string advice(const Verdict& verdict) {
  return "-> " + verdict.action + (verdict.fault.empty() ? "" : " [" + verdict.fault + "]");
}

// The labels of verdicts without the host, which stands elsewhere; one label by one where they differ in that alone.
std::vector<std::string> label_texts(const std::vector<Verdict>& verdicts) {
  std::vector<Labels> labels;
  for (const Verdict& verdict : verdicts) {
    labels.push_back(verdict.labels);
    labels.back().erase("host");
  }
  std::vector<std::string> texts;
  for (const Labels& each : merged(std::move(labels)))
    if (!each.empty()) texts.push_back(to_text(each));
  return texts;
}

// "a.size (nic 0; nic 1)": every metric once, with the labels it was expected for.
std::vector<std::string> metric_list(const std::vector<Verdict>& verdicts) {
  std::map<std::string, std::vector<Verdict>> by_metric;
  for (const Verdict& verdict : verdicts) by_metric[verdict.metric].push_back(verdict);
  std::vector<std::string> list;
  for (const auto& [metric, all] : by_metric) {
    const auto labels = label_texts(all);
    list.push_back(labels.empty() ? metric : fmt::format("{} ({})", metric, fmt::join(labels, "; ")));
  }
  return list;
}

std::set<std::string_view> checks(const Problem& problem) {
  std::set<std::string_view> names{check_of(problem.verdict.metric)};
  for (const Verdict& verdict : problem.alike) names.insert(check_of(verdict.metric));
  return names;
}

// "limits", "3 checks"
std::string checks_of(const Problem& problem) {
  const auto count = checks(problem).size();
  return count == 1 ? problem.check : fmt::format("{} checks", count);
}

// Whether it is about how checks ended, and not about what they measured.
bool is_of_check(const Problem& problem) { return problem.verdict.metric.find('.') == std::string::npos; }

// Whether expectations were not met for no other reason than how their checks ended, of which another problem tells.
bool follows(const Problem& problem, const Problem& from) {
  const auto& reason = from.verdict.reason;
  return !is_of_check(problem) && is_of_check(from) && problem.host == from.host && !reason.empty() &&
         problem.verdict.reason.ends_with(reason) && std::ranges::includes(checks(from), checks(problem));
}

// A problem as a row, and the lines below it.
struct Told {
  Row row;
  std::vector<std::string> below;
};

Told told(const Problem& problem, bool several_hosts, std::size_t columns) {
  const Verdict& first = problem.verdict;
  if (problem.alike.empty())
    return {{first.metric, component(problem.host, first.labels, several_hosts), finding(first)}, {}};
  if (std::ranges::any_of(problem.alike, [&](const Verdict& each) { return each.metric != first.metric; }))
    return {
        {checks_of(problem), problem.host,
         is_of_check(problem) ? first.reason : fmt::format("{} expectations: {}", problem.alike.size(), first.reason)},
        wrapped(metric_list(problem.alike), columns)};
  const auto labels = label_texts(problem.alike);
  if (labels.size() == 1 && !several_hosts) return {{first.metric, labels.front(), finding(first)}, {}};
  return {{first.metric, problem.host, fmt::format("{} times: {}", problem.alike.size(), finding(first))}, labels};
}

}  // namespace

std::string problem_lines(const Report& report, const View& view) {
  const std::vector<Problem> all = together(problems(report));
  std::vector<const Problem*> found;
  std::map<const Problem*, std::size_t> following;  // how many expectations follow from it
  for (const Problem& problem : all) {
    const auto cause = std::ranges::find_if(all, [&](const Problem& other) { return follows(problem, other); });
    if (view.all || cause == all.end())
      found.push_back(&problem);
    else
      following[&*cause] += count(problem);
  }
  std::vector<Told> told_all;
  std::vector<Row> rows;
  for (const Problem* problem : found) {
    told_all.push_back(told(*problem, report.hosts.size() > 1, view.columns - indent));
    rows.push_back(told_all.back().row);
  }
  const auto width = widths(rows);

  std::string text;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Verdict& verdict = found[i]->verdict;
    text += row_line(status_cell(verdict.status, view.colour), status_width, rows[i], width, view.columns);
    for (const auto& below : told_all[i].below) text += indented(below, indent, view.columns);
    if (const auto more = following[found[i]]; more > 0)
      text += indented(
          fmt::format("so that {} expectation{} could not be judged, which --all shows", more, more == 1 ? "" : "s"),
          indent, view.columns);
    if (!verdict.action.empty()) text += indented(advice(verdict), status_width + 2, view.columns);
  }
  return text;
}

}  // namespace muster::results
