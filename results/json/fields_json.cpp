// SPDX-License-Identifier: Apache-2.0
#include "results/json/fields_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "results/strings/suggest.hpp"
#include "results/strings/utf8.hpp"

namespace muster::results {
std::string escaped(std::string_view name) {
  if (name.find_first_of("~/") == name.npos) return std::string(name);
  std::string text;
  for (const char letter : name) {
    if (letter == '~')
      text += "~0";
    else if (letter == '/')
      text += "~1";
    else
      text += letter;
  }
  return text;
}

namespace {

// Of a place in a document, by a search for it: fields are many, and problems few.
std::string pointer_of(const nlohmann::json& place, const nlohmann::json& document) {
  struct Open {
    const nlohmann::json* value;
    nlohmann::json::const_iterator next;
  };
  if (&place == &document) return "";
  std::vector<Open> path{{.value = &document, .next = document.begin()}};
  while (!path.empty()) {
    auto& [value, next] = path.back();
    if (!value->is_structured() || next == value->end()) {
      path.pop_back();
      if (!path.empty()) ++path.back().next;
      continue;
    }
    if (&*next == &place) break;
    path.push_back({.value = &*next, .next = next->begin()});
  }
  std::string pointer;
  for (const auto& [value, next] : path)
    pointer += "/" + (value->is_array() ? std::to_string(next - value->begin()) : escaped(next.key()));
  return pointer;
}

}  // namespace

void Field::fail(const std::string& what) const {
  const auto pointer = pointer_of(*json_, *document_);
  throw Error(printable((pointer.empty() ? "/" : pointer) + ": " + what));
}

void Field::fail_as_none_of(const std::string& found, const std::vector<std::string>& names) const {
  const auto meant = suggestion(found, names);
  fail(fmt::format("'{}' is not one of {}{}{}", found, fmt::join(names, ", "), meant.empty() ? "" : ".", meant));
}

Field Field::object(std::initializer_list<std::string_view> names) const {
  for (const auto& [name, value] : all_members()) {
    const auto is_same = [&](std::string_view each) {  // the first letter tells most apart, without a call
      return each.size() == name.size() && each.front() == name.front() && each == name;
    };
    if (std::ranges::none_of(names, is_same)) child(value).fail("there is no such field");
  }
  return *this;
}

Field Field::at(std::string_view name) const {
  if (const auto field = find(name)) return *field;
  fail(fmt::format("the field '{}' is missing", name));
}

std::optional<Field> Field::find(std::string_view name) const {
  const auto at = json_->find(name);
  if (at == json_->end()) return std::nullopt;
  return child(*at);
}

std::vector<Field> Field::items() const {
  if (!json_->is_array()) fail(fmt::format("must be an array, not {}", json_->type_name()));
  std::vector<Field> fields;
  fields.reserve(json_->size());
  for (const auto& item : *json_) fields.push_back(child(item));
  return fields;
}

const nlohmann::json::object_t& Field::all_members() const {
  if (!json_->is_object()) fail(fmt::format("must be an object, not {}", json_->type_name()));
  return json_->get_ref<const nlohmann::json::object_t&>();
}

std::vector<std::pair<std::string, Field>> Field::members() const {
  std::vector<std::pair<std::string, Field>> fields;
  for (const auto& [name, item] : all_members()) fields.emplace_back(name, child(item));
  return fields;
}

std::string Field::text() const {
  if (!json_->is_string()) fail(fmt::format("must be a text, not {}", json_->type_name()));
  return json_->get<std::string>();
}

double Field::number() const {
  if (!json_->is_number()) fail(fmt::format("must be a number, not {}", json_->type_name()));
  return json_->get<double>();
}

std::size_t Field::whole_number(std::size_t least, std::size_t most) const {
  const double value = number();
  if (std::floor(value) != value || value < static_cast<double>(least) || value > static_cast<double>(most))
    fail(fmt::format("{} is not a whole number from {} to {}", value, least, most));
  return static_cast<std::size_t>(value);
}

bool Field::flag() const {
  if (!json_->is_boolean()) fail(fmt::format("must be true or false, not {}", json_->type_name()));
  return json_->get<bool>();
}

}  // namespace muster::results
