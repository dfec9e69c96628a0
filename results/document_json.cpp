// SPDX-License-Identifier: Apache-2.0
#include "results/document.hpp"
#include "results/error.hpp"
#include "results/file.hpp"
#include "results/parsed_json.hpp"

namespace muster::results {
namespace {

bool is_of_muster(const nlohmann::json& json) {
  if (!json.is_object() || !json.contains("schema") || !json.contains("tool")) return false;
  const nlohmann::json& tool = json["tool"];
  return tool.is_object() && tool.contains("name") && tool["name"] == "muster";
}

Document kind_of(const nlohmann::json& json) {
  if (!is_of_muster(json)) return Document::other;
  if (json.contains("checks")) return Document::report;
  if (json.contains("problems")) return Document::summary;
  if (json.contains("nodes")) return Document::fleet_report;
  return json.contains("mount_at") ? Document::scratch_status : Document::other;
}

}  // namespace

Document document_in(const std::filesystem::path& file) {
  try {
    return kind_of(parsed(read_text(file)));
  } catch (const Error&) {
    return Document::other;
  }
}

}  // namespace muster::results
