// SPDX-License-Identifier: Apache-2.0
#include "results/report_fields_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/error.hpp"
#include "results/report.hpp"

namespace muster::results {
namespace {

[[noreturn]] void fail_at(std::string_view text, std::size_t byte, std::string_view what) {
  const auto before = text.substr(0, std::min(byte, text.size()));
  throw Error(fmt::format("line {}: this is not JSON: {}", 1 + std::ranges::count(before, '\n'), what));
}

}  // namespace

nlohmann::json parsed(std::string_view text) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::string_view what = error.what();
    const auto reason = what.rfind(" - ");
    fail_at(text, error.byte, reason == what.npos ? what : what.substr(reason + 3));
  } catch (const nlohmann::json::out_of_range& error) {
    const std::string_view what = error.what();
    const auto number = what.substr(what.find('\'') + 1, what.rfind('\'') - what.find('\'') - 1);
    fail_at(text, text.find(number), fmt::format("the number {} is not finite", number));
  }
}

std::string read_time(const Field& field) {
  std::string text = field.text();
  if (!text.empty() && !is_time(text))
    field.fail(fmt::format("'{}' is not a time such as 2026-11-21T02:50:10.123Z", text));
  return text;
}

Status read_status(const Field& field) {
  return field.one_of(
      status_from, [](Status status) { return to_text(status); }, Status::fail);
}

Labels read_labels(const Field& field) {
  Labels labels;
  for (const auto& [name, value] : field.members()) labels.emplace(name, value.text());
  return labels;
}

std::string read_version(const Field& field) {
  const Field tool = field.object({"name", "version"});
  if (tool.at("name").text() != "muster") tool.at("name").fail("must be 'muster'");
  return tool.at("version").text();
}

}  // namespace muster::results
