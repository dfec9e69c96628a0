// SPDX-License-Identifier: Apache-2.0
#include "results/json/document.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::results {
namespace {

// The names of an object's fields, and of its tool; of a text that is JSON and no object, none.
struct Outline {
  std::set<std::string, std::less<>> fields;
  std::string tool;

  bool has(std::string_view field) const { return fields.contains(field); }
};

// Nothing where the text is no JSON. Keeps no other field's value, for some documents are large.
std::optional<Outline> outline_of(std::string_view text) {
  using Event = nlohmann::json::parse_event_t;
  Outline outline;
  std::string field;  // the last one
  const auto look = [&](int depth, Event event, const nlohmann::json& value) {
    if (event == Event::key && depth == 1) outline.fields.insert(field = value.get<std::string>());
    return depth == 0 || field == "tool";
  };
  const auto kept = nlohmann::json::parse(text, look, false);
  if (kept.is_discarded()) return std::nullopt;
  const auto name = nlohmann::json::json_pointer("/tool/name");
  if (kept.contains(name) && kept[name].is_string()) outline.tool = kept[name];
  return outline;
}

Document kind_of(const Outline& outline) {
  const bool is_of_muster = outline.has("schema") && outline.tool == "muster";
  if (!is_of_muster) return outline.has("expectations") ? Document::profile : Document::other;
  if (outline.has("checks")) return Document::report;
  if (outline.has("problems")) return Document::summary;
  if (outline.has("nodes")) return Document::fleet_report;
  if (outline.has("changes")) return Document::comparison;
  return outline.has("mount_at") ? Document::scratch_status : Document::other;
}

// Whether a text that is no JSON begins as what muster writes.
bool begins_as_ours(std::string_view text) {
  constexpr std::size_t longest = 256;
  std::string beginning(text.substr(0, longest));
  std::erase_if(beginning, [](char letter) { return letter == ' ' || letter == '\n'; });
  return beginning.starts_with(R"({"schema":1,"tool":{"name":"muster",)");
}

std::string_view what_it_is(Document document) {
  switch (document) {
    case Document::report:
      return "this is the report of a run, which muster report shows";
    case Document::summary:
      return "this is the summary of a report; give the report itself";
    case Document::fleet_report:
      return "this is the report of a fleet, which muster fleet summary shows";
    case Document::scratch_status:
      return "this is a status of muster scratch";
    case Document::profile:
      return "this is a profile, which --profile takes, and no report";
    case Document::comparison:
      return "this is what muster compare said of two reports; give a report";
    case Document::cut:
    case Document::other:
      break;
  }
  return "";
}

}  // namespace

Document document_of(std::string_view text) {
  if (const auto outline = outline_of(text)) return kind_of(*outline);
  return begins_as_ours(text) ? Document::cut : Document::other;
}

Document document_in(const std::filesystem::path& file) {
  try {
    return document_of(read_text(file));
  } catch (const Error&) {
    return Document::other;
  }
}

void expect_document(std::string_view text, Document wanted, const std::filesystem::path& file) {
  const auto found = document_of(text);
  const auto what = what_it_is(found);
  if (found != wanted && !what.empty()) throw Error(fmt::format("{}: {}", file.string(), what));
}

}  // namespace muster::results
