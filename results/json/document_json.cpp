// SPDX-License-Identifier: Apache-2.0
#include "results/json/document.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::results {
namespace {

// The names of the fields of an object, and of its tool. Nothing else of it is kept, so that a large one is no slower.
class Outline final : public nlohmann::json::json_sax_t {
 public:
  bool has(const std::string& field) const { return fields_.contains(field); }
  const std::string& tool() const { return tool_; }

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return open(); }
  bool start_array(std::size_t /*size*/) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (depth_ == 1) fields_.insert(field_ = name);
    if (depth_ == 2) inner_ = name;
    return true;
  }

  bool string(string_t& value) override {
    if (depth_ == 2 && field_ == "tool" && inner_ == "name") tool_ = value;
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    return false;
  }

 private:
  bool open() {
    ++depth_;
    inner_.clear();  // a list has no names
    return true;
  }

  bool close() {
    --depth_;
    return true;
  }

  std::size_t depth_ = 0;
  std::set<std::string> fields_;
  std::string field_, inner_;  // the last field, and the last one of the object in it
  std::string tool_;
};

Document kind_of(const Outline& outline) {
  const bool is_of_muster = outline.has("schema") && outline.tool() == "muster";
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
  Outline outline;
  if (nlohmann::json::sax_parse(text, &outline)) return kind_of(outline);
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
