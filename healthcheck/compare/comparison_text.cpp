// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "healthcheck/compare/comparison.hpp"
#include "results/render/text_lines.hpp"
#include "results/strings/table.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/version.hpp"
#include "results/values/merged_labels.hpp"

namespace muster::healthcheck::compare {
namespace {

using results::Labels;
using results::Row;
using results::Status;
using results::View;

constexpr std::size_t most_lines = 20;  // of a kind
constexpr std::size_t kind_width = 9;   // "UNDECIDED"

Status colour_of(Kind kind) {
  if (kind == Kind::worse || kind == Kind::gone) return Status::fail;
  if (kind == Kind::better) return Status::pass;
  return kind == Kind::fresh || kind == Kind::changed ? Status::warn : Status::skip;
}

std::string text_of(const std::optional<results::Value>& value, Subject subject) {
  if (value) return results::to_text(*value);
  if (subject == Subject::finding) return "not judged";
  return subject == Subject::check || subject == Subject::node ? "not there" : "nothing";
}

// "210 GB/s -> 199 GB/s, 5.2 % less (noise: 3 %)"
std::string rest_of(const Change& change) {
  std::string text;
  if (change.before || change.after)
    text = fmt::format("{} -> {}", text_of(change.before, change.subject), text_of(change.after, change.subject));
  if (change.difference && change.noise)
    text += fmt::format(", {} {} (noise: {})", results::percent(std::abs(*change.difference)),
                        *change.difference < 0 ? "less" : "more", results::percent(*change.noise));
  if (!change.reason.empty()) text += (text.empty() ? "" : ": ") + change.reason;
  return change.fault.empty() ? text : fmt::format("{} [{}]", text, change.fault);
}

// Those that read alike but for their labels, which become as few as can be.
std::vector<Row> rows_of(const Comparison& comparison, Kind kind) {
  std::vector<Row> rows;
  std::map<Row, std::size_t> known;
  std::vector<std::vector<Labels>> labels;
  for (const auto& change : comparison.changes) {
    if (change.kind != kind) continue;
    const auto name = change.metric.empty() ? change.check : change.metric;
    Row row{change.host.empty() ? name : name.empty() ? change.host : change.host + ": " + name, rest_of(change)};
    const auto [at, is_new] = known.try_emplace(row, rows.size());
    if (is_new) {
      rows.push_back(row);
      labels.emplace_back();
    }
    labels[at->second].push_back(change.labels);
  }
  std::vector<Row> all;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& each : results::merged(std::move(labels[i])))
      all.push_back({rows[i].front(), results::to_text(each), rows[i].back()});
  return all;
}

std::string lines_of(const Comparison& comparison, Kind kind, const View& view) {
  auto rows = rows_of(comparison, kind);
  if (rows.empty()) return "";
  std::size_t more = 0;
  if (!view.all && rows.size() > most_lines) {
    more = rows.size() - most_lines;
    rows.resize(most_lines);
  }
  const auto width = results::widths(rows);
  const auto word = results::capitals(to_text(kind));
  std::string lines = "\n";
  for (const auto& row : rows)
    lines += results::row_line(results::painted(colour_of(kind), results::padded(word, kind_width), view.colour),
                               kind_width, row, width, view.columns);
  if (more > 0) lines += results::line(fmt::format("{:{}}  and {} more, which --all shows", "", kind_width, more));
  return lines;
}

std::string side_line(std::string_view name, const Side& side) {
  constexpr std::size_t most_hosts = 3;
  const auto hosts = side.hosts.size() > most_hosts ? fmt::format("{} hosts", side.hosts.size())
                                                    : fmt::format("{}", fmt::join(side.hosts, ", "));
  return results::printable(fmt::format("{}  {}, {}, {}: {}  {}", name, side.file, hosts, side.started,
                                        results::capitals(results::to_text(side.status)), side.summary));
}

}  // namespace

std::string to_text(const Comparison& comparison, const View& view) {
  std::string text;
  if (!comparison.differences.empty())
    text = results::printable(fmt::format("A and B differ in {}", fmt::join(comparison.differences, ", "))) + "\n";
  text += fmt::format("muster {} compares {}: {}  {}\n\n", results::version(),
                      comparison.is_of_fleets ? "two reports of fleets" : "two reports",
                      exit_code(comparison) == 0 ? "PASS" : "FAIL", summary(comparison));
  for (const auto& [name, side] : {std::pair("A", &comparison.a), std::pair("B", &comparison.b)})
    text += results::indented(side_line(name, *side), 0, view.columns);
  for (const Kind kind : {Kind::worse, Kind::gone, Kind::fresh, Kind::better, Kind::changed})
    text += lines_of(comparison, kind, view);
  const auto same = std::ranges::count_if(comparison.changes, [](const Change& change) {
    return change.kind == Kind::same && change.subject == Subject::finding;
  });
  const auto undecided = count(comparison, Kind::undecided);
  if (view.all) {
    for (const Kind kind : {Kind::noise, Kind::undecided}) text += lines_of(comparison, kind, view);
  } else if (undecided > 0) {
    text += fmt::format("\n{} other {}, and no samples tell why; --all shows {}\n", undecided,
                        undecided == 1 ? "value differs" : "values differ", undecided == 1 ? "it" : "them");
  }
  if (same > 0)
    text += fmt::format("\n{} {} in both; muster report shows {}\n", same, same == 1 ? "finding is" : "findings are",
                        same == 1 ? "it" : "them");
  return text;
}

}  // namespace muster::healthcheck::compare
