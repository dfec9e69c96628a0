// SPDX-License-Identifier: Apache-2.0
#include "results/json/document.hpp"

#include <fmt/format.h>

#include <string>

#include "results/json/parsed_json.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::results {
namespace {

bool is_of_muster(const nlohmann::json& json) {
  if (!json.is_object() || !json.contains("schema") || !json.contains("tool")) return false;
  const nlohmann::json& tool = json["tool"];
  return tool.is_object() && tool.contains("name") && tool["name"] == "muster";
}

Document kind_of(const nlohmann::json& json) {
  if (!is_of_muster(json))
    return json.is_object() && json.contains("expectations") ? Document::profile : Document::other;
  if (json.contains("checks")) return Document::report;
  if (json.contains("problems")) return Document::summary;
  if (json.contains("nodes")) return Document::fleet_report;
  if (json.contains("changes")) return Document::comparison;
  return json.contains("mount_at") ? Document::scratch_status : Document::other;
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
  try {
    return kind_of(parsed(text));
  } catch (const Error&) {
    return begins_as_ours(text) ? Document::cut : Document::other;
  }
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
