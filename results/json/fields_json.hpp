// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/system/error.hpp"

namespace muster::results {

// The most that every reader of JSON keeps exactly.
inline constexpr std::size_t max_exact = std::size_t{1} << 53;

// A name as a JSON pointer spells it (RFC 6901).
std::string escaped(std::string_view name);

// One place of a JSON document. Every reading function throws Error that names it by its JSON pointer.
class Field {
 public:
  // The whole document, which must outlive it.
  explicit Field(const nlohmann::json& document) : Field(document, document) {}

  // Itself, when it is an object whose fields all have one of these names.
  Field object(std::initializer_list<std::string_view> names) const;
  Field at(std::string_view name) const;
  std::optional<Field> find(std::string_view name) const;
  std::vector<Field> items() const;
  std::vector<std::pair<std::string, Field>> members() const;

  bool is_text() const { return json_->is_string(); }
  std::string text() const;
  double number() const;
  std::size_t whole_number(std::size_t least, std::size_t most) const;
  bool flag() const;

  // The enumerator of this name; the error lists the names of all enumerators up to `last`.
  template <typename Enum, typename From, typename Name>
  Enum one_of(From from, Name name, Enum last) const {
    const std::string found = text();
    if (const std::optional<Enum> enumerator = from(found)) return *enumerator;
    std::vector<std::string> names;
    for (int each = 0; each <= static_cast<int>(last); ++each) names.emplace_back(name(static_cast<Enum>(each)));
    fail_as_none_of(found, names);
  }

  [[noreturn]] void fail(const std::string& what) const;
  // With the names, and the one that was meant.
  [[noreturn]] void fail_as_none_of(const std::string& found, const std::vector<std::string>& names) const;

 private:
  Field(const nlohmann::json& document, const nlohmann::json& place) : document_(&document), json_(&place) {}

  Field child(const nlohmann::json& place) const { return {*document_, place}; }
  const nlohmann::json::object_t& all_members() const;

  const nlohmann::json* document_;
  const nlohmann::json* json_;
};

}  // namespace muster::results
