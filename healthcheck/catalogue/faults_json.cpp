// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/document_json.hpp"
#include "healthcheck/catalogue/fault.hpp"

namespace muster::healthcheck {
namespace {

using results::Field;

std::string optional_text(const std::optional<Field>& field) { return field ? filled_text(*field) : ""; }

std::vector<std::string> texts(const std::optional<Field>& field) {
  std::vector<std::string> texts;
  if (field)
    for (const Field& item : field->items()) texts.push_back(filled_text(item));
  return texts;
}

Fault fault_from(const Field& field) {
  field.object({"code", "meaning", "evidence", "action", "action_where_waiting", "source", "severity", "azure_code",
                "azure_category", "commands"});
  const auto severity = field.find("severity");
  return {.code = filled_text(field.at("code")),
          .meaning = filled_text(field.at("meaning")),
          .evidence = filled_text(field.at("evidence")),
          .action = filled_text(field.at("action")),
          .action_where_waiting = optional_text(field.find("action_where_waiting")),
          .source = filled_text(field.at("source")),
          .severity = severity ? read_severity(*severity) : results::Status::fail,
          .azure_code = optional_text(field.find("azure_code")),
          .azure_category = optional_text(field.find("azure_category")),
          .commands = texts(field.find("commands"))};
}

}  // namespace

Faults::Faults(const std::filesystem::path& file) {
  Document(file).read([this](const Field& root) {
    for (const Field& item : root.items()) {
      faults_.push_back(fault_from(item));
      if (find(faults_.back().code) != &faults_.back()) item.at("code").fail("this code is there twice; remove one");
    }
  });
}

}  // namespace muster::healthcheck
