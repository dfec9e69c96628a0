// SPDX-License-Identifier: Apache-2.0
#include "results/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

#include "results/problems.hpp"
#include "results/rate_table.hpp"
#include "results/table.hpp"
#include "results/utf8.hpp"

namespace muster::results {
namespace {

constexpr std::size_t status_width = 7;  // "UNKNOWN"
constexpr std::size_t line_width = 100;
constexpr std::size_t most_key_values = 4;

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

std::string indented(std::string_view text, std::size_t by) { return std::string(by, ' ') + printable(text) + "\n"; }

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

// "a.size (nic 0; nic 1)": every metric once, with the labels it was expected for.
std::vector<std::string> metric_list(const std::vector<Verdict>& verdicts) {
  std::map<std::string, std::string> labels_of;
  for (const Verdict& verdict : verdicts) {
    std::string& labels = labels_of[verdict.metric];
    const std::string text = labels_without_host(verdict.labels);
    labels += (labels.empty() || text.empty() ? "" : "; ") + text;
  }
  std::vector<std::string> list;
  for (const auto& [metric, labels] : labels_of)
    list.push_back(labels.empty() ? metric : fmt::format("{} ({})", metric, labels));
  return list;
}

Row problem_row(const Problem& problem, bool several_hosts) {
  if (problem.unmeasured.empty())
    return {problem.verdict.metric, component(problem.host, problem.verdict.labels, several_hosts),
            finding(problem.verdict)};
  return {problem.check, problem.host,
          fmt::format("{} expectations: {}", problem.unmeasured.size(), problem.verdict.reason)};
}

std::string problem_lines(const Report& report, Colour colour) {
  const std::vector<Problem> found = problems(report);
  std::vector<Row> rows;
  for (const Problem& problem : found) rows.push_back(problem_row(problem, report.hosts.size() > 1));
  const auto width = widths(rows);

  std::string text;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Verdict& verdict = found[i].verdict;
    text += line(fmt::format("{}  {}  {}  {}", status_cell(verdict.status, colour), padded(rows[i][0], width[0]),
                             padded(rows[i][1], width[1]), printable(rows[i][2])));
    for (const auto& metrics : wrapped(metric_list(found[i].unmeasured), line_width - status_width - 4))
      text += indented(metrics, status_width + 4);
    if (!verdict.action.empty()) text += indented(advice(verdict), status_width + 2);
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

std::string check_line(const CheckRun& run, const Row& row, std::span<const std::size_t> width, Colour colour) {
  return line(fmt::format("{}  {}  {}  {}  {}", status_cell(run.status, colour), padded(row[0], width[0]),
                          padded(row[1], width[1]), padded(row[2], width[2], Side::right), printable(row[3])));
}

// The measured values that had a verdict, worst first.
std::string key_values(const CheckRun& run) {
  std::vector<Verdict> judged;
  std::ranges::copy_if(run.verdicts, std::back_inserter(judged), [](const Verdict& verdict) {
    return verdict.value.has_value() && verdict.status != Status::skip;
  });
  std::ranges::stable_sort(judged, std::greater{}, &Verdict::status);
  const std::size_t shown = std::min(judged.size(), most_key_values);

  std::vector<Row> rows;
  for (const Verdict& verdict : std::span(judged).first(shown))
    rows.push_back({verdict.metric, labels_without_host(verdict.labels), verdict.value ? to_text(*verdict.value) : ""});
  const auto width = widths(rows);
  std::string text;
  for (const Row& row : rows)
    text += line(fmt::format("{:{}}{}  {}  {}", "", status_width + 4, padded(row[0], width[0]),
                             padded(row[1], width[1]), printable(row[2])));
  if (judged.size() > shown) text += indented(fmt::format("and {} more", judged.size() - shown), status_width + 4);
  return text;
}

// Checks that were skipped for one reason, on one line.
std::string skipped_lines(const std::vector<const CheckRun*>& skipped, Colour colour) {
  std::map<std::string, std::vector<std::string>> names_by_reason;
  for (const CheckRun* run : skipped) {
    auto& names = names_by_reason[run->reason];
    if (std::ranges::find(names, run->check) == names.end()) names.push_back(run->check);
  }
  std::string text;
  for (const auto& [reason, names] : names_by_reason)
    text += line(fmt::format("{}  {}: {}", status_cell(Status::skip, colour),
                             printable(fmt::format("{}", fmt::join(names, ", "))), printable(reason)));
  return text;
}

std::string check_lines(const Report& report, Colour colour) {
  std::vector<const CheckRun*> shown, skipped;
  for (const CheckRun& run : report.checks)
    (run.status == Status::skip && run.outcome == Outcome::skipped ? skipped : shown).push_back(&run);
  std::vector<Row> rows;
  for (const CheckRun* run : shown) rows.push_back(check_row(*run, report.hosts.size() > 1));
  const auto width = widths(rows);
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += check_line(*shown[i], rows[i], width, colour);
    const auto rates = rate_lines(*shown[i]);
    for (const std::string& each : rates) text += indented(each, status_width + 4);
    if (rates.empty()) text += key_values(*shown[i]);
  }
  return text + skipped_lines(skipped, colour);
}

std::string title(const Report& report) {
  const std::string hosts =
      report.hosts.size() == 1 ? report.hosts[0].name : fmt::format("{} hosts", report.hosts.size());
  std::string text = fmt::format("muster {} on {}, tier {}, profile {}", report.version, hosts,
                                 to_text(report.selection.tier), report.profile.name);
  if (!report.profile.chosen_by.empty()) text += fmt::format(" ({})", report.profile.chosen_by);
  return line(printable(text));
}

}  // namespace

std::string capitals(std::string_view status) {
  std::string text(status);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string to_text(const Report& report, Colour colour) {
  std::string text = title(report);
  if (const std::string found = problem_lines(report, colour); !found.empty()) text += "\nPROBLEMS\n" + found;
  if (!report.checks.empty()) text += "\nCHECKS\n" + check_lines(report, colour);
  return text + "\n" + painted(report.status, capitals(to_text(report.status)), colour) + ": " +
         line(printable(report.summary));
}

std::string progress_line(const CheckRun& run, Colour colour) {
  constexpr std::array<std::size_t, 3> width = {20, 16, 8};
  std::string text = check_line(run, check_row(run, false), width, colour);
  text.pop_back();
  return text;
}

}  // namespace muster::results
