// SPDX-License-Identifier: Apache-2.0
#include "results/render/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "results/render/numbers.hpp"
#include "results/render/problem_lines.hpp"
#include "results/render/rate_table.hpp"
#include "results/render/text_lines.hpp"
#include "results/strings/table.hpp"
#include "results/strings/utf8.hpp"
#include "results/values/merged_runs.hpp"
#include "results/values/problems.hpp"

namespace muster::results {
namespace {

constexpr std::size_t max_numbers = 12;
constexpr std::size_t time_of_check = 2;  // its column

// "12 pass, 1 warn", or why there are no verdicts to count.
std::string headline(const CheckRun& run) {
  const bool is_expected = run.status > Status::pass && run.outcome == Outcome::skipped;
  if (run.outcome != Outcome::finished) return (is_expected ? "expected, but " : "") + ending(run);
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
  if (!view.metrics.empty()) {
    std::vector<Row> rows;
    for (const std::string& metric : view.metrics) std::ranges::move(numbers_of(run, metric), std::back_inserter(rows));
    return number_lines(rows, view.columns);
  }
  if (view.all) return number_lines(all_numbers(run), view.columns);
  if (const auto rates = rate_lines(run, view.columns - indent); !rates.empty()) {
    std::string text;
    for (const std::string& each : rates) text += line(std::string(indent, ' ') + each);
    return text;
  }
  auto rows = headline_numbers(run);
  const auto left_out = rows.size() - std::min(rows.size(), max_numbers);
  rows.resize(rows.size() - left_out);
  auto text = number_lines(rows, view.columns);
  if (left_out > 0) text += indented(fmt::format("and {} more, which --all shows", left_out), indent, view.columns);
  return text;
}

bool has_metric(const CheckRun& run, const std::string& metric) {
  return std::ranges::find(run.measurements, metric, &Measurement::metric) != run.measurements.end();
}

// Whether the table is about it, where metrics are asked for.
bool is_asked_for(const CheckRun& run, const View& view) {
  return view.metrics.empty() ||
         std::ranges::any_of(view.metrics, [&](const auto& metric) { return has_metric(run, metric); });
}

// Of those that are asked for.
std::string unmeasured_lines(const std::vector<CheckRun>& runs, const View& view) {
  std::string text;
  for (const std::string& metric : view.metrics)
    if (std::ranges::none_of(runs, [&](const auto& run) { return has_metric(run, metric); }))
      text += fmt::format("no check measured {}\n", metric);
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
  const auto runs = merged(report.checks);
  std::vector<const CheckRun*> shown, skipped;
  for (const CheckRun& run : runs)
    if (is_asked_for(run, view))
      (run.status == Status::skip && run.outcome == Outcome::skipped ? skipped : shown).push_back(&run);
  std::vector<Row> rows;
  for (const CheckRun* run : shown) rows.push_back(check_row(*run, report.hosts.size() > 1));
  const auto width = widths(rows);
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += row_line(status_cell(shown[i]->status, view.colour), status_width, rows[i], width, view.columns,
                     time_of_check) +
            numbers(*shown[i], view);
  return text + skipped_lines(skipped, view) + unmeasured_lines(runs, view);
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
    text += indented(fmt::format("No speed was judged: of what was measured here profile {} expects none. "
                                 "muster calibrate makes a profile that does.",
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
  const std::string found = view.metrics.empty() ? problem_lines(report, view) : "";
  if (!found.empty()) text += "\nPROBLEMS\n" + found;
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
