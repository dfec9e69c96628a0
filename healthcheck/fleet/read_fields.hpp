// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

// Reads what muster wrote as it writes it, which is quick. All else that JSON allows is left to the strict reader.
namespace muster::healthcheck::fleet {

// A report that is not as muster writes it, whether it is valid or not.
struct Unusual {};

inline void expect(bool holds) {
  if (!holds) throw Unusual();
}

using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

// The names of an object's fields in the order in which they are written, and which may be absent.
template <std::size_t count>
struct Shape {
  std::array<std::string_view, count> names;
  std::uint32_t optional = 0;  // a bit for each
};

// The fields of an object of a shape that is known when this is compiled, so that no name is compared by a call. Throws
// Unusual where the object is of another.
template <const auto& shape>
class Fields {
 public:
  explicit Fields(const element& from) {
    object fields;
    expect(from.get(fields) == simdjson::SUCCESS);
    auto at = fields.begin();
    const auto end = fields.end();
    take(at, end, std::make_index_sequence<shape.names.size()>());
    expect(!(at != end));
  }

  bool has(std::size_t field) const { return (has_ >> field & 1) != 0; }
  const element& operator[](std::size_t field) const { return values_[field]; }

 private:
  using Iterator = object::iterator;

  template <std::size_t... fields>
  void take(Iterator& at, const Iterator& end, std::index_sequence<fields...>) {
    (take<fields>(at, end), ...);
  }

  template <std::size_t field>
  void take(Iterator& at, const Iterator& end) {
    constexpr std::string_view name = shape.names[field];
    if (at != end && at.key_length() == name.size() && std::memcmp(at.key_c_str(), name.data(), name.size()) == 0) {
      values_[field] = at.value();
      has_ |= std::uint32_t{1} << field;
      ++at;
    } else {
      expect((shape.optional >> field & 1) != 0);
    }
  }

  std::array<element, shape.names.size()> values_;
  std::uint32_t has_ = 0;
};

inline std::string_view text(const element& from) {
  std::string_view read;
  expect(from.get(read) == simdjson::SUCCESS);
  return read;
}

inline void expect_text(const element& from) { expect(from.is_string()); }

inline void expect_number(const element& from) {
  const auto type = from.type();
  expect(type == element_type::DOUBLE || type == element_type::INT64 || type == element_type::UINT64);
}

inline double number(const element& from) {
  double read = 0;
  expect(from.get(read) == simdjson::SUCCESS);
  return read;
}

inline simdjson::dom::array list(const element& from) {
  simdjson::dom::array read;
  expect(from.get(read) == simdjson::SUCCESS);
  return read;
}

// Calls visit(name, value) for each member of an object whose members are written in the order of their names.
template <typename Visit>
void each_member(const element& from, Visit visit) {
  object members;
  expect(from.get(members) == simdjson::SUCCESS);
  std::string_view last;
  bool is_first = true;
  for (const auto& [name, value] : members) {
    expect(is_first || last < name);
    is_first = false;
    last = name;
    visit(name, value);
  }
}

inline void expect_texts(const element& from) {
  each_member(from, [](std::string_view, const element& value) { expect_text(value); });
}

}  // namespace muster::healthcheck::fleet
