// SPDX-License-Identifier: Apache-2.0
#include "tests/results/random_report.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

namespace muster::tests {
namespace {

using namespace results;

class Generator {
 public:
  Generator(std::mt19937_64& random, RandomReport shape) : random_(random), shape_(std::move(shape)) {}

 private:
  std::size_t below(std::size_t end) { return random_() % end; }
  bool coin() { return below(2) == 0; }

  template <typename Enum>
  Enum enumerator(Enum last) {
    return static_cast<Enum>(below(static_cast<std::size_t>(last) + 1));
  }

  Status status() { return enumerator(Status::fail); }

  // Any finite double: its bits are random.
  double number() {
    if (below(4) == 0) return static_cast<double>(below(100));
    const auto value = std::bit_cast<double>(random_());
    return std::isfinite(value) ? value : 0.1;
  }

  std::string text() {
    constexpr std::array pieces = {"a", "Z", " ", "µ", "°", "漢", "😀", "\"", "\\", "\n", "\x01", "/", "~", "\x7f"};
    constexpr std::array broken = {"\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf0\x9f"};
    std::string made;
    for (std::size_t left = below(shape_.max_text + 1); left > 0; --left)
      made += shape_.broken_text && below(8) == 0 ? broken.at(below(broken.size())) : pieces.at(below(pieces.size()));
    return made;
  }

  std::string time() {
    if (coin()) return "";
    return fmt::format("20{:02}-{:02}-{:02}T{:02}:00:59{}Z", below(100), 1 + below(12), 1 + below(28), below(24),
                       coin() ? "" : ".125");
  }

  template <typename Make>
  auto list(Make make) {
    std::vector<decltype(make())> items;
    for (std::size_t left = below(shape_.most + 1); left > 0; --left) items.push_back(make());
    return items;
  }

  template <typename Make>
  auto maybe(Make make) {
    return coin() ? std::optional(make()) : std::nullopt;
  }

  std::vector<std::string> texts() {
    return list([this] { return text(); });
  }

  Labels labels() {
    Labels made;
    for (std::size_t left = below(shape_.most + 1); left > 0; --left) made[text()] = text();
    return made;
  }

  Selected selected() {
    Selected made;
    for (std::size_t left = below(shape_.most + 1); left > 0; --left) made[text()] = texts();
    return made;
  }

  Quantity quantity() { return {number(), enumerator(Unit::operation_per_second)}; }

  Value value() { return coin() ? Value(quantity()) : Value(text()); }

  Summary summary() {
    return {below(1000), number(), number(), number(),
            number(),    number(), number(), maybe([this] { return Interval{number(), number()}; })};
  }

  Stopping stopping() {
    const auto threshold = [this] { return number(); };
    return {text(),           maybe(threshold), maybe(threshold),
            maybe(threshold), below(1000),      enumerator(StoppingDecision::budget)};
  }

  Measurement measurement() {
    Measurement made = {text(),
                        value(),
                        labels(),
                        maybe([this] { return summary(); }),
                        maybe([this] { return stopping(); }),
                        maybe([this] {
                          return Limit{quantity(), text()};
                        })};
    if (const auto* quantity = std::get_if<Quantity>(&made.value); quantity && made.summary)
      made.summary->median = quantity->value;
    return made;
  }

  Verdict verdict() {
    return {status(), text(), labels(), std::nullopt, text(), text(), text(), text(), text(), text(), text()};
  }

  // About a fact of the run, with the labels that it has of it.
  void speak(Verdict& verdict, const CheckRun& run) {
    if (!run.measurements.empty() && coin()) {
      const auto& fact = run.measurements.at(below(run.measurements.size()));
      verdict.metric = fact.metric;
      verdict.labels = fact.labels;
      verdict.value = fact.value;
    } else if (!run.evidence.empty() && coin()) {
      const auto& delta = run.evidence.at(below(run.evidence.size()));
      verdict.metric = delta.metric;
      verdict.labels = delta.labels;
      if (std::isfinite(delta.after - delta.before)) verdict.value = Quantity{delta.after - delta.before};
    } else {
      return;
    }
    if (coin()) verdict.labels.insert(run.component.begin(), run.component.end());
    if (coin()) verdict.labels.emplace("host", run.host);
  }

  // One of the report's; none where it has none.
  std::string host() { return hosts_.empty() ? "" : hosts_.at(below(hosts_.size())).name; }

  CheckRun run() {
    auto made = any_run();
    made.host = host();
    for (auto& other : made.hosts) other = host();
    for (auto& verdict : made.verdicts) speak(verdict, made);
    made.status = worst(made.verdicts);
    const bool has_ended_well = made.outcome >= Outcome::finished && made.outcome <= Outcome::not_built;
    if (!has_ended_well && made.status < Status::unknown) made.outcome = Outcome::finished;
    return made;
  }

  CheckRun any_run() {
    return {text(),
            text(),
            texts(),
            labels(),
            selected(),
            1 + static_cast<int>(below(2)),
            enumerator(Outcome::in_use),
            text(),
            text(),
            text(),
            time(),
            std::abs(number()),
            list([this] { return measurement(); }),
            list([this] {
              return Delta{text(), labels(), number(), number()};
            }),
            status(),
            text(),
            list([this] { return verdict(); })};
  }

 public:
  Report report() {
    Report report;
    report.version = text();
    report.run_id = text();
    report.started = time();
    report.duration_seconds = std::abs(number());
    report.profile = {text(), text(), text()};
    report.selection = {enumerator(Tier::full), {}, texts()};
    report.environment = labels();
    hosts_ = list([this] { return Host{text(), labels()}; });
    if (!shape_.host.empty()) hosts_ = {{.name = shape_.host}};
    report.hosts = hosts_;
    report.checks = list([this] { return run(); });
    for (const auto& run : report.checks)
      if (coin()) report.selection.only.push_back(run.check);
    report.status = Status::skip;
    bool is_judged = false;
    for (const auto& run : report.checks) {
      report.status = std::max(report.status, run.status);
      is_judged = is_judged || !run.verdicts.empty();
    }
    if (!is_judged) report.status = Status::unknown;
    report.summary = text();
    return report;
  }

 private:
  std::mt19937_64& random_;
  RandomReport shape_;
  std::vector<Host> hosts_;
};

}  // namespace

Report random_report(std::mt19937_64& random, const RandomReport& shape) { return Generator(random, shape).report(); }

}  // namespace muster::tests
