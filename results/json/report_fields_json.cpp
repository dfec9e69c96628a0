// SPDX-License-Identifier: Apache-2.0
#include "results/json/report_fields_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "results/strings/utf8.hpp"
#include "results/system/error.hpp"
#include "results/values/report.hpp"

namespace muster::results {
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

std::vector<std::string> read_texts(const Field& field) {
  std::vector<std::string> texts;
  for (const Field& item : field.items()) texts.push_back(item.text());
  return texts;
}

Selection read_selection(const Field& field) {
  const Field selection = field.object({"tier", "only", "skip"});
  const auto tier_name = [](Tier tier) { return to_text(tier); };
  return {.tier = selection.at("tier").one_of(tier_from, tier_name, Tier::full),
          .only = read_texts(selection.at("only")),
          .skip = read_texts(selection.at("skip"))};
}

nlohmann::ordered_json written(const Selection& selection) {
  return {{"tier", to_text(selection.tier)}, {"only", selection.only}, {"skip", selection.skip}};
}

std::string read_version(const Field& field) {
  const Field tool = field.object({"name", "version"});
  if (tool.at("name").text() != "muster") tool.at("name").fail("must be 'muster'");
  return tool.at("version").text();
}

}  // namespace muster::results
