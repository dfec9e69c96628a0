// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "results/render/text.hpp"
#include "results/strings/utf8.hpp"
#include "results/values/problems.hpp"
#include "results/values/report.hpp"

// JUnit's XML: a suite for each run of a check, a case for each verdict. A case has one outcome: what is unknown is an
// error, and what warns passes and says so, as CI systems know neither.
namespace muster::results {
namespace {

using pugi::xml_node;

// What XML 1.0 may hold: of code points that are no control characters all but two.
std::string allowed(std::string_view text) {
  std::string result = printable(text);
  for (const std::string_view forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (auto at = result.find(forbidden); at != result.npos; at = result.find(forbidden, at))
      result.replace(at, 3, "?");
  return result;
}

void set(xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(allowed(value).c_str());
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f}", seconds); }

// How many cases ended so.
struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void add(Status status) {
    ++tests;
    failures += status == Status::fail ? 1 : 0;
    errors += status == Status::unknown ? 1 : 0;
    skipped += status == Status::skip ? 1 : 0;
  }

  void write_to(xml_node node) const {
    node.append_attribute("tests") = tests;
    node.append_attribute("failures") = failures;
    node.append_attribute("errors") = errors;
    node.append_attribute("skipped") = skipped;
  }
};

const char* element_of(Status status) {
  switch (status) {
    case Status::fail:
      return "failure";
    case Status::unknown:
      return "error";
    case Status::skip:
      return "skipped";
    case Status::warn:
      return "system-out";
    case Status::pass:
      break;
  }
  return nullptr;
}

std::string text_of(const Verdict& verdict) {
  std::string text = allowed(verdict.reason);
  if (!verdict.fault.empty()) text = fmt::format("{}: {}", allowed(verdict.fault), text);
  if (!verdict.expected.empty()) text += fmt::format("\nexpected: {}", allowed(verdict.expected));
  if (!verdict.source.empty()) text += fmt::format("\nsource: {}", allowed(verdict.source));
  if (!verdict.action.empty()) text += fmt::format("\naction: {}", allowed(verdict.action));
  return text;
}

std::string name_of(const Verdict& verdict) {
  return verdict.labels.empty() ? verdict.metric : fmt::format("{} ({})", verdict.metric, to_text(verdict.labels));
}

class Suite {
 public:
  Suite(xml_node root, const std::string& name) : node_(root.append_child("testsuite")) { set(node_, "name", name); }

  void describe(const CheckRun& run) {
    if (!run.host.empty()) set(node_, "hostname", place(run));
    if (!run.started.empty()) set(node_, "timestamp", run.started);
    set(node_, "time", seconds_text(run.duration_seconds));
  }

  // The time of a run stands with its first case, so that the cases of a suite add up to it.
  void add(const std::string& check, const std::string& name, const Verdict& verdict, double seconds) {
    auto test = node_.append_child("testcase");
    set(test, "classname", "muster." + check);
    set(test, "name", name);
    set(test, "time", seconds_text(counts_.tests == 0 ? seconds : 0));
    counts_.add(verdict.status);
    const char* element = element_of(verdict.status);
    if (element == nullptr) return;
    auto outcome = test.append_child(element);
    if (verdict.status != Status::warn) set(outcome, "message", verdict.reason);
    if (verdict.status == Status::fail || verdict.status == Status::unknown)
      set(outcome, "type", verdict.fault.empty() ? to_text(verdict.status) : verdict.fault);
    if (verdict.status != Status::skip) outcome.text().set(text_of(verdict).c_str());
  }

  Counts written() {
    counts_.write_to(node_);
    return counts_;
  }

 private:
  xml_node node_;
  Counts counts_;
};

std::string suite_name(const CheckRun& run) {
  std::string name = run.check;
  if (!run.component.empty()) name += fmt::format(" ({})", to_text(run.component));
  if (run.attempt > 1) name += fmt::format(", attempt {}", run.attempt);
  return name;
}

Counts add_run(xml_node root, const CheckRun& run) {
  Suite suite(root, suite_name(run));
  suite.describe(run);
  for (const Verdict& verdict : run.verdicts) suite.add(run.check, name_of(verdict), verdict, run.duration_seconds);
  const bool told =
      std::ranges::any_of(run.verdicts, [&](const Verdict& verdict) { return verdict.status == run.status; });
  if (!told) {  // how the run ended is in no verdict
    Verdict end;
    end.status = run.status;
    end.reason = run.information.empty() ? ending(run) : run.information;
    suite.add(run.check, run.check, end, run.duration_seconds);
  }
  return suite.written();
}

// A report that judged nothing is no success.
Counts add_nothing_judged(xml_node root, const Report& report) {
  Suite suite(root, "muster");
  Verdict nothing;
  nothing.reason = report.summary;
  suite.add("report", "something was judged", nothing, 0);
  return suite.written();
}

}  // namespace

std::string to_junit(const Report& report, const View&) {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  auto root = document.append_child("testsuites");
  set(root, "name", "muster");
  Counts all;
  const auto add = [&](const Counts& counts) {
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
    all.skipped += counts.skipped;
  };
  for (const CheckRun& run : report.checks) add(add_run(root, run));
  if (!is_good(report.status) && all.failures + all.errors == 0) add(add_nothing_judged(root, report));
  all.write_to(root);
  set(root, "time", seconds_text(report.duration_seconds));
  std::ostringstream text;
  document.save(text, "  ");
  return std::move(text).str();
}

}  // namespace muster::results
