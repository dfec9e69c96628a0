// SPDX-License-Identifier: Apache-2.0
#include "results/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <optional>

#include "results/merged_labels.hpp"
#include "results/numbers.hpp"
#include "results/problems.hpp"
#include "results/rate_table.hpp"
#include "results/table.hpp"
#include "results/utf8.hpp"

namespace muster::results {
namespace {

constexpr std::size_t status_width = 7;  // "UNKNOWN"
constexpr std::size_t indent = status_width + 4;
constexpr std::size_t most_numbers = 12;
constexpr std::size_t time_of_check = 2;  // its column

std::string_view escape_code(Status status) {
  switch (status) {
    case Status::pass:
      return "\x1b[32m";  // green
    case Status::warn:
      return "\x1b[33m";  // yellow
    case Status::unknown:
      return "\x1b[35m";  // magenta
    case Status::fail:
      return "\x1b[1;31m";  // bold red
    case Status::skip:
      return "\x1b[2m";  // dim
  }
  return "";
}

std::string painted(Status status, std::string_view text, Colour colour) {
  if (colour == Colour::never) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape_code(status), text);
}

std::string status_cell(Status status, Colour colour) {
  return painted(status, padded(capitals(to_text(status)), status_width), colour);
}

std::string line(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

// Below what it belongs to, in as many lines as it takes.
std::string indented(std::string_view text, std::size_t by, std::size_t columns) {
  std::string lines;
  for (const auto& each : folded(text, columns - std::min(2 * columns / 3, by)))
    lines += line(std::string(by, ' ') + each);
  return lines;
}

// After what begins a line and is so wide, folded beside it, or below where little room is left there.
std::string with_rest(const std::string& beginning, std::size_t width, std::string_view rest, std::size_t columns) {
  const std::size_t left = width + 2;
  if (rest.empty()) return line(beginning);
  if (left + results::columns(printable(rest)) > columns && 3 * left > 2 * columns)
    return line(beginning) + indented(rest, indent + 2, columns);
  std::string lines;
  for (const auto& each : folded(rest, columns - std::min(columns, left)))
    lines += line((lines.empty() ? beginning + "  " : std::string(left, ' ')) + each);
  return lines;
}

// A row of a table after what begins its line, with one column on the right of its place; where the terminal is too
// narrow for columns, one cell after the other.
std::string row_line(const std::string& head, std::size_t head_width, const Row& row,
                     std::span<const std::size_t> width, std::size_t columns, std::optional<std::size_t> right = {}) {
  auto beginning = head;
  std::size_t so_wide = head_width;
  std::string cells;
  for (std::size_t column = 0; column + 1 < row.size(); ++column) {
    if (width[column] == 0) continue;
    beginning += "  " + padded(row[column], width[column], column == right ? Side::right : Side::left);
    so_wide += 2 + width[column];
    if (!row[column].empty()) cells += row[column] + ": ";
  }
  if (so_wide <= columns) return with_rest(beginning, so_wide, row.back(), columns);
  return with_rest(head, head_width, cells + row.back(), columns);
}

// What a line says of its component where the host stands elsewhere.
std::string labels_without_host(Labels labels) {
  labels.erase("host");
  return to_text(labels);
}

// The labels without the host, which stands on its own where there are several; a host without labels is the component.
std::string component(const std::string& host, const Labels& labels, bool several_hosts) {
  const std::string text = labels_without_host(labels);
  if (text.empty()) return host;
  return several_hosts ? host + ": " + text : text;
}

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
    return {{problem.check, problem.host, fmt::format("{} expectations: {}", problem.alike.size(), first.reason)},
            wrapped(metric_list(problem.alike), columns)};
  const auto labels = label_texts(problem.alike);
  if (labels.size() == 1 && !several_hosts) return {{first.metric, labels.front(), finding(first)}, {}};
  return {{first.metric, problem.host, fmt::format("{} times: {}", problem.alike.size(), finding(first))}, labels};
}

std::string problem_lines(const Report& report, const View& view) {
  const std::vector<Problem> found = together(problems(report));
  std::vector<Told> all;
  std::vector<Row> rows;
  for (const Problem& problem : found) {
    all.push_back(told(problem, report.hosts.size() > 1, view.columns - indent));
    rows.push_back(all.back().row);
  }
  const auto width = widths(rows);

  std::string text;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Verdict& verdict = found[i].verdict;
    text += row_line(status_cell(verdict.status, view.colour), status_width, rows[i], width, view.columns);
    for (const auto& below : all[i].below) text += indented(below, indent, view.columns);
    if (!verdict.action.empty()) text += indented(advice(verdict), status_width + 2, view.columns);
  }
  return text;
}

// "12 pass, 1 warn", or why there are no verdicts to count.
std::string headline(const CheckRun& run) {
  if (run.outcome != Outcome::finished) return ending(run);
  std::string counts;
  for (const Status status : {Status::fail, Status::unknown, Status::warn, Status::pass, Status::skip}) {
    const auto number = std::ranges::count(run.verdicts, status, &Verdict::status);
    if (number > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", number, to_text(status));
  }
  if (!run.information.empty()) return (counts.empty() ? "" : counts + "; ") + "information: " + run.information;
  return counts.empty() ? "no verdicts" : counts;
}

Row check_row(const CheckRun& run, bool several_hosts) {
  return {run.check, component(place(run), run.component, several_hosts),
          run.started.empty() ? "-" : to_text(Quantity{run.duration_seconds, Unit::second}), headline(run)};
}

std::string number_lines(const std::vector<Row>& rows, std::size_t columns) {
  const std::string head(indent - 2, ' ');
  const auto width = widths(rows);
  std::string text;
  for (const Row& row : rows) text += row_line(head, head.size(), row, width, columns);
  return text;
}

// What people came for: speeds, or all that was asked for.
std::string numbers(const CheckRun& run, const View& view) {
  if (!view.metric.empty()) return number_lines(numbers_of(run, view.metric), view.columns);
  if (view.all) return number_lines(all_numbers(run), view.columns);
  if (const auto rates = rate_lines(run, view.columns - indent); !rates.empty()) {
    std::string text;
    for (const std::string& each : rates) text += line(std::string(indent, ' ') + each);
    return text;
  }
  auto rows = headline_numbers(run);
  const auto left_out = rows.size() - std::min(rows.size(), most_numbers);
  rows.resize(rows.size() - left_out);
  auto text = number_lines(rows, view.columns);
  if (left_out > 0) text += indented(fmt::format("and {} more, which --all shows", left_out), indent, view.columns);
  return text;
}

// Checks that were skipped for one reason, on one line.
std::string skipped_lines(const std::vector<const CheckRun*>& skipped, const View& view) {
  std::map<std::string, std::vector<std::string>> names_by_reason;
  for (const CheckRun* run : skipped) {
    auto& names = names_by_reason[run->reason];
    if (std::ranges::find(names, run->check) == names.end()) names.push_back(run->check);
  }
  std::string text;
  for (const auto& [reason, names] : names_by_reason)
    text += with_rest(status_cell(Status::skip, view.colour), status_width,
                      fmt::format("{}: {}", fmt::join(names, ", "), reason), view.columns);
  return text;
}

std::string check_lines(const Report& report, const View& view) {
  std::vector<const CheckRun*> shown, skipped;
  for (const CheckRun& run : report.checks)
    (run.status == Status::skip && run.outcome == Outcome::skipped ? skipped : shown).push_back(&run);
  std::vector<Row> rows;
  for (const CheckRun* run : shown) rows.push_back(check_row(*run, report.hosts.size() > 1));
  const auto width = widths(rows);
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += row_line(status_cell(shown[i]->status, view.colour), status_width, rows[i], width, view.columns,
                     time_of_check) +
            numbers(*shown[i], view);
  return text + skipped_lines(skipped, view);
}

std::string title(const Report& report, const View& view) {
  const std::string hosts =
      report.hosts.size() == 1 ? report.hosts[0].name : fmt::format("{} hosts", report.hosts.size());
  std::string text = fmt::format("muster {} on {}, tier {}, profile {}", report.version, hosts,
                                 to_text(report.selection.tier), report.profile.name);
  if (!report.profile.chosen_by.empty()) text += fmt::format(" ({})", report.profile.chosen_by);
  return indented(text, 0, view.columns);
}

std::string last_words(const Report& report, const View& view) {
  const auto status = capitals(to_text(report.status));
  std::string text = "\n" + painted(report.status, status, view.colour) + ":" +
                     indented(status + ": " + report.summary, 0, view.columns).substr(status.size() + 1);
  if (judges_no_speed(report))
    text += indented(fmt::format("No speed was judged: profile {} expects none. muster calibrate makes one that does.",
                                 report.profile.name),
                     0, view.columns);
  return text;
}

}  // namespace

std::string capitals(std::string_view status) {
  std::string text(status);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string to_text(const Report& report, const View& view) {
  std::string text = title(report, view);
  if (const std::string found = problem_lines(report, view); !found.empty()) text += "\nPROBLEMS\n" + found;
  if (!report.checks.empty()) text += "\nCHECKS\n" + check_lines(report, view);
  return text + last_words(report, view);
}

std::string progress_line(const CheckRun& run, Colour colour) {
  constexpr std::array<std::size_t, 3> width = {20, 16, 8};
  const auto row = check_row(run, false);
  return fmt::format("{}  {}  {}  {}  {}", status_cell(run.status, colour), padded(row[0], width[0]),
                     padded(row[1], width[1]), padded(row[2], width[2], Side::right), printable(row[3]));
}

}  // namespace muster::results
