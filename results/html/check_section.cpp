// SPDX-License-Identifier: Apache-2.0
#include "results/html/check_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "results/html/document.hpp"
#include "results/html/escape.hpp"
#include "results/html/expected.hpp"
#include "results/html/series.hpp"
#include "results/render/judged.hpp"
#include "results/values/merged_labels.hpp"
#include "results/values/problems.hpp"

namespace muster::results::html {
namespace {

constexpr std::size_t max_sets = 64;  // of labels that are merged for people

// A line of the table: facts of one metric that have one value, and were judged alike.
struct Line {
  std::string metric, value, expected;
  std::optional<Status> status;  // none: not judged
  std::string note;              // of what was not measured
  std::vector<Labels> labels;
  std::optional<Edges> edges;
  double number = 0;
};

std::string without_check(const CheckRun& run, const std::string& metric) {
  return check_of(metric) == run.check ? std::string(subject_of(metric)) : metric;
}

class Lines {
 public:
  explicit Lines(const CheckRun& run) : run_(run), judged_(run) {
    for (const auto* verdict : judged_.about_nothing()) add(*verdict);
    for (const Measurement& each : run.measurements) add(each);
    std::ranges::stable_sort(lines_, std::ranges::greater(),
                             [](const Line& line) { return line.status ? static_cast<int>(*line.status) : -1; });
  }

  const std::vector<Line>& all() const { return lines_; }

 private:
  void add(Line line, Labels labels) {
    const auto host = labels.find("host");
    const auto told = host == labels.end() || run_.hosts.empty() ? std::string() : host->second;
    make_short(labels);
    if (!told.empty()) labels["host"] = told;  // of a job, one of its hosts or a pair
    const auto key = std::tuple(line.metric, line.value, line.expected, line.note, line.status);
    const auto [at, is_new] = places_.try_emplace(key, lines_.size());
    if (is_new) lines_.push_back(std::move(line));
    lines_[at->second].labels.push_back(std::move(labels));
  }

  void add(const Verdict& verdict) {
    add({.metric = without_check(run_, verdict.metric),
         .value = verdict.value ? to_text(*verdict.value) : "",
         .expected = verdict.expected,
         .status = verdict.status,
         .note = verdict.value ? "" : verdict.reason,
         .labels = {},
         .edges = {}},
        verdict.labels);
  }

  void add(const Measurement& each) {
    const auto* verdict = judged_.verdict_of(each);
    Line line{.metric = without_check(run_, each.metric),
              .value = to_text(each.value),
              .expected = {},
              .status = {},
              .note = {},
              .labels = {},
              .edges = {}};
    if (verdict != nullptr) {
      line.expected = verdict->expected;
      line.status = verdict->status;
      line.edges = edges(each, verdict->expected);
    }
    if (const auto* quantity = std::get_if<Quantity>(&each.value)) line.number = quantity->value;
    add(std::move(line), each.labels);
  }

  const CheckRun& run_;
  Judged judged_;
  std::vector<Line> lines_;
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::optional<Status>>, std::size_t> places_;
};

std::string components(const Line& line) {
  if (line.labels.size() > max_sets) return fmt::format("{} components", line.labels.size());
  std::string text;
  for (const Labels& each : merged(line.labels))
    if (!each.empty()) text += (text.empty() ? "" : "; ") + to_text(each);
  return text;
}

// Where the value stands beside its edge, for the eye: its row has the numbers.
std::string gauge(const Line& line) {
  constexpr double width = 96;
  if (!line.edges || !(line.edges->good > 0) || !(line.number >= 0) || !line.status) return "";
  const double most = 1.15 * std::max(line.edges->good, line.number);
  const auto at = [&](double value) { return 2 + (width - 4) * std::clamp(value / most, 0.0, 1.0); };
  const double edge = at(line.edges->good);
  return fmt::format(
      "<svg class=\"gauge {}\" viewBox=\"0 0 {:g} 14\" aria-hidden=\"true\"><path class=\"track\" d=\"M2 7H94\"/>"
      "<path class=\"good\" d=\"M{:.1f} 7H{}\"/><path class=\"edge\" d=\"M{:.1f} 1V13\"/><circle cx=\"{:.1f}\" "
      "cy=\"7\" r=\"3.5\"/></svg>",
      to_text(*line.status), width, edge, line.edges->more_is_better ? 94 : 2, edge, at(line.number));
}

std::string row(const Line& line) {
  const auto status = line.status ? badge(*line.status) : std::string("<span class=\"unjudged\">not judged</span>");
  const auto value = line.value.empty() ? line.note : line.value;
  return fmt::format(
      "<tr><td>{}</td><th scope=\"row\">{}</th><td class=\"of\">{}</td><td "
      "class=\"n{}\">{}</td><td>{}</td><td>{}</td></tr>\n",
      status, escaped(line.metric, 120), escaped(components(line), 300), value.size() > 26 ? " note" : "",
      escaped(value, 400), gauge(line), escaped(line.expected, 300));
}

std::string numbers(const CheckRun& run, std::string_view which, std::size_t number, std::span<const Line> lines,
                    std::size_t most) {
  if (lines.empty()) return "";
  const auto title = fmt::format("{} of {} ({})", which, escaped(run.check, 60), number);
  std::string text = fmt::format(
      "<div class=\"wide\" role=\"group\" aria-label=\"{}\" tabindex=\"0\"><table class=\"numbers\"><caption "
      "class=\"spoken\">{}</caption>\n"
      "<thead><tr><th scope=\"col\">Status</th><th scope=\"col\">What</th><th scope=\"col\">Of</th><th scope=\"col\" "
      "class=\"n\">Found</th>"
      "<td></td><th scope=\"col\">Expected</th></tr></thead>\n<tbody>\n",
      title, title);
  std::size_t shown = 0;
  for (; shown < lines.size(); ++shown) {
    auto one = row(lines[shown]);
    if (text.size() + one.size() > most) break;
    text += one;
  }
  text += "</tbody></table></div>\n";
  if (shown < lines.size())
    text +=
        fmt::format("<p class=\"more\">and {} more rows, which muster report --all shows</p>\n", lines.size() - shown);
  return text;
}

// Those that need attention, and the others where they are looked for; a check that is as expected opens at once.
std::string all_numbers(const CheckRun& run, std::size_t number, std::size_t most) {
  const Lines lines(run);
  const std::span all(lines.all());
  const auto bad = static_cast<std::size_t>(
      std::ranges::count_if(all, [](const Line& line) { return line.status && *line.status >= Status::warn; }));
  auto text =
      numbers(run, bad == 0 ? "Numbers" : "What is not as expected", number, bad == 0 ? all : all.first(bad), most);
  if (bad == 0 || bad == all.size()) return text;
  const auto rest = all.subspan(bad);
  const auto used = text.size() + 500;
  return text +
         fmt::format("<details class=\"rest\"><summary>{} more number{}{}</summary>\n", rest.size(),
                     rest.size() == 1 ? "" : "s", spoken(fmt::format(" of {} ({})", run.check, number))) +
         numbers(run, "Other numbers", number, rest, most - std::min(most, used)) + "</details>\n";
}

std::string counts(const CheckRun& run) {
  std::string text;
  for (const Status status : {Status::fail, Status::unknown, Status::warn, Status::pass})
    if (const auto number = std::ranges::count(run.verdicts, status, &Verdict::status); number > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, to_text(status));
  return text;
}

std::string evidence(const CheckRun& run, std::size_t number) {
  std::vector<Row> rows;
  for (const Delta& each : run.evidence)
    if (each.before != each.after)
      rows.push_back(
          {each.metric, to_text(each.labels), fmt::format("{:g}", each.before), fmt::format("{:g}", each.after)});
  if (rows.empty()) return "";
  return table({"Counter", "Of", "Before", "After"}, rows,
               {.caption = "Counters that grew while " + run.check + " ran",
                .id = fmt::format("grew-{}", number),
                .numbers = {2, 3},
                .most = 6'000,
                .caption_is_seen = true});
}

}  // namespace

std::string check_section(const CheckRun& run, std::size_t number, bool several_hosts, std::size_t most) {
  auto text = fmt::format(
      R"(<details class="check"{}><summary>{} <span class="name">{}</span>)",
      is_good(run.status) || run.status == Status::skip ? (run.status == Status::warn ? " open" : "") : " open",
      badge(run.status), escaped(run.check, 80));
  auto of = to_text(run.component);
  if (several_hosts) of = place(run) + (of.empty() ? "" : ": ") + of;
  if (!of.empty()) text += fmt::format(" <span class=\"at\">{}</span>", escaped(of, 200));
  text += fmt::format(" <span class=\"counts\">{}</span>", counts(run));
  if (!run.started.empty())
    text += fmt::format(" <span class=\"took\">{}</span>", to_text(Quantity{run.duration_seconds, Unit::second}));
  text += "</summary>\n";
  if (run.outcome != Outcome::finished)
    text += fmt::format("<p class=\"reason\">{}</p>\n", escaped(ending(run), 1'000));
  if (!run.kernel_function.empty())
    text += fmt::format("<p class=\"reason\">It hung in the kernel, in <code>{}</code>.</p>\n",
                        escaped(run.kernel_function, 200));
  if (!run.information.empty())
    text += fmt::format("<p class=\"reason\">Nothing is expected of it: {}</p>\n", escaped(run.information, 500));
  const auto used = text.size() + 1'000;
  text += all_numbers(run, number, most - std::min(most, used));
  if (text.size() + 8'000 < most) text += evidence(run, number);
  return text + "</details>\n";
}

}  // namespace muster::results::html
