// SPDX-License-Identifier: Apache-2.0
#include "results/render/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "results/render/text.hpp"
#include "results/strings/utf8.hpp"

namespace muster::results {
namespace {

using pugi::xml_node;

constexpr std::size_t seconds_of_time = 19;  // "2026-11-21T02:50:10": common schemas know neither fraction nor zone

// What XML 1.0 may hold: of code points that are no control characters all but two. Lines stay lines.
std::string allowed(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    result += (begin == 0 ? "" : "\n") + printable(text.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const std::string_view forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (auto at = result.find(forbidden); at != result.npos; at = result.find(forbidden, at))
      result.replace(at, 3, "?");
  return result;
}

void set(xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(allowed(printable(value)).c_str());
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

  // What is skipped is told of a suite alone: common schemas know it of no more.
  void write_to(xml_node node) const {
    node.append_attribute("tests") = tests;
    node.append_attribute("failures") = failures;
    node.append_attribute("errors") = errors;
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

void add(xml_node suite, const Case& each) {
  auto test = suite.append_child("testcase");
  set(test, "classname", "muster." + each.of);
  set(test, "name", each.name);
  set(test, "time", seconds_text(each.seconds));
  const char* element = element_of(each.status);
  if (element == nullptr) return;
  auto outcome = test.append_child(element);
  if (each.status != Status::warn) set(outcome, "message", each.reason);
  if (each.status == Status::fail || each.status == Status::unknown)
    set(outcome, "type", each.fault.empty() ? to_text(each.status) : each.fault);
  if (each.status != Status::skip) outcome.text().set(allowed(details(each)).c_str());
}

void add(xml_node root, const Suite& suite, Counts& all) {
  auto node = root.append_child("testsuite");
  set(node, "name", suite.name);
  if (!suite.place.empty()) set(node, "hostname", suite.place);
  if (is_time(suite.started)) set(node, "timestamp", suite.started.substr(0, seconds_of_time));
  set(node, "time", seconds_text(suite.seconds));
  Counts counts;
  for (const Case& each : suite.cases) {
    add(node, each);
    counts.add(each.status);
    all.add(each.status);
  }
  counts.write_to(node);
  node.append_attribute("skipped") = counts.skipped;
}

}  // namespace

std::string junit(const Cases& cases) {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  auto root = document.append_child("testsuites");
  set(root, "name", "muster");
  Counts all;
  for (const Suite& suite : cases.suites) add(root, suite, all);
  all.write_to(root);
  set(root, "time", seconds_text(cases.seconds));
  std::ostringstream text;
  document.save(text, "  ");
  return std::move(text).str();
}

std::string to_junit(const Report& report, const View&) { return junit(cases_of(report)); }

}  // namespace muster::results
