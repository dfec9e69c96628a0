// SPDX-License-Identifier: Apache-2.0
#include "results/render/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "results/render/judged.hpp"
#include "results/render/text.hpp"
#include "results/strings/utf8.hpp"
#include "results/values/problems.hpp"

namespace muster::results {
namespace {

// What begins a formula in a spreadsheet, also in full width (OWASP, CSV injection).
constexpr std::array<std::string_view, 8> beginnings_of_formulas = {
    "=", "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};

bool is_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return std::ranges::any_of(beginnings_of_formulas, [&](auto beginning) { return text.starts_with(beginning); });
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) result.append(letter == '"' ? 2 : 1, letter);
  return result + "\"";
}

std::string cell_text(const Csv::Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  const auto text = printable(std::get<std::string>(cell));
  if (is_formula(text)) return in_quotes("'" + text);
  const bool is_plain = text.find_first_of(",;\"") == text.npos && !text.starts_with(' ') && !text.ends_with(' ');
  return is_plain ? text : in_quotes(text);
}

constexpr std::string_view columns_of_report =
    "kind,host,check,attempt,metric,labels,value,unit,status,expected,reason,fault,action,source";

// Where, and of what.
struct Place {
  std::string host;
  std::string labels;
};

Place place_of(const CheckRun& run, Labels labels) {
  labels.insert(run.component.begin(), run.component.end());
  const auto own = labels.extract("host");
  return {own.empty() ? place(run) : own.mapped(), to_text(labels)};
}

std::pair<Csv::Cell, std::string> value_and_unit(const std::optional<Value>& value) {
  if (!value) return {"", ""};
  if (const auto* quantity = std::get_if<Quantity>(&*value))
    return {quantity->value, std::string(symbol(quantity->unit))};
  return {std::get<std::string>(*value), ""};
}

class Rows {
 public:
  explicit Rows(const Report& report) : csv_(columns_of_report) {
    for (const CheckRun& run : report.checks) add(run);
    csv_.row({"report", report.hosts.empty() ? "" : report.hosts.front().name, "", "", "", "", report.duration_seconds,
              "s", std::string(to_text(report.status)), "", report.summary, "", "", report.profile.name});
  }

  const std::string& text() const { return csv_.text(); }

 private:
  void add(const CheckRun& run) {
    const Judged judged(run);
    std::set<const Verdict*> told;
    const auto tell = [&](std::string_view kind, const Measurement& fact, const Verdict* verdict) {
      add(kind, run, fact.metric, place_of(run, fact.labels), fact.value, verdict);
      told.insert(verdict);
    };
    for (const Measurement& fact : run.measurements) tell("fact", fact, judged.verdict_of(fact));
    for (const Delta& delta : run.evidence) {
      const auto fact = growth(delta);
      const auto* verdict = judged.verdict_of(fact);
      if (verdict != nullptr || delta.after != delta.before) tell("counter", fact, verdict);
    }
    for (const Verdict& verdict : run.verdicts)
      if (!told.contains(&verdict))
        add("expectation", run, verdict.metric, place_of(run, verdict.labels), verdict.value, &verdict);
    const auto where = place_of(run, {});
    csv_.row({"check", where.host, run.check, static_cast<double>(run.attempt), "", where.labels, run.duration_seconds,
              "s", std::string(to_text(run.status)), "", ending(run), "", "", ""});
  }

  void add(std::string_view kind, const CheckRun& run, const std::string& metric, const Place& where,
           const std::optional<Value>& value, const Verdict* verdict) {
    const Verdict none;
    const Verdict& about = verdict == nullptr ? none : *verdict;
    const auto [number, unit] = value_and_unit(value);
    csv_.row({std::string(kind), where.host, run.check, static_cast<double>(run.attempt), metric, where.labels, number,
              unit, verdict == nullptr ? "" : std::string(to_text(about.status)), about.expected, about.reason,
              about.fault, about.action, about.source});
  }

  Csv csv_;
};

}  // namespace

void Csv::row(const std::vector<Cell>& cells) {
  std::string line;
  for (const Cell& cell : cells) line += (&cell == &cells.front() ? "" : ",") + cell_text(cell);
  text_ += line + "\r\n";
}

std::string to_csv(const Report& report, const View&) { return Rows(report).text(); }

}  // namespace muster::results
