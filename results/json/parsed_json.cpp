// SPDX-License-Identifier: Apache-2.0
#include "results/json/parsed_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

#include "results/json/fields_json.hpp"
#include "results/strings/utf8.hpp"

namespace muster::results {
namespace {

[[noreturn]] void fail_at(std::string_view text, std::size_t byte, std::string_view what) {
  throw NoJson(1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, byte), '\n')), printable(what));
}

// What is copied, compared or written level by level then needs a few hundred kB of a stack. simdjson reads no deeper.
constexpr std::size_t max_levels = 1024;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Whether a number is whole, and more than 64 bits hold: readers keep more or less of it.
bool is_too_long(std::string_view number) {
  constexpr std::size_t always_held = 18;  // digits
  if (number.size() <= always_held || number.find_first_of(".eE") != number.npos) return false;
  const auto holds = [&](auto value) {
    return std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc{};
  };
  return !holds(std::int64_t{}) && !holds(std::uint64_t{});
}

void expect_agreed_numbers_and_depth(std::string_view text) {
  std::size_t levels = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    } else if (text[at] == '[' || text[at] == '{') {
      if (++levels > max_levels)
        fail_at(text, at, fmt::format("lists and objects are inside one another more than {} times", max_levels));
    } else if (text[at] == ']' || text[at] == '}') {
      if (levels > 0) --levels;
    } else if (text[at] == '-' || (text[at] >= '0' && text[at] <= '9')) {
      const auto end = std::min(text.find_first_not_of("+-.0123456789Ee", at), text.size());
      const auto number = text.substr(at, end - at);
      if (is_too_long(number)) fail_at(text, at, fmt::format("the whole number {} has more than 64 bits", number));
      at = end - 1;
    }
  }
}

// What readers of JSON do not agree on, and so nothing that muster reads may have in it.
void expect_agreed(std::string_view text) {
  if (text.starts_with(byte_order_mark)) fail_at(text, 0, "it begins with a byte order mark");
  if (const auto nul = text.find('\0'); nul != text.npos) fail_at(text, nul, "it has a NUL in it");
  expect_agreed_numbers_and_depth(text);
}

// Builds the value event by event. nlohmann's own parser shows a field that is there twice to a callback only, and with
// one it goes through all of a list after each object in it.
class Builder final : public nlohmann::json::json_sax_t {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  nlohmann::json value() && { return std::move(root_); }
  // The JSON pointer of the first field that is there twice; empty where none is.
  const std::string& twice() const { return twice_; }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(value); }  // a copy: the parser goes on with the room that it has
  bool binary(binary_t& value) override { return add(std::move(value)); }
  bool start_object(std::size_t /*size*/) override { return open(nlohmann::json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(nlohmann::json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const auto [member, is_new] = open_.back().value->emplace(name, nullptr);
    open_.back().name = &member.key();
    if (!is_new && twice_.empty()) twice_ = pointer();
    member_ = &*member;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& error) override {
    const auto last_read = std::clamp(position, std::size_t{1}, std::max(text_.size(), std::size_t{1})) - 1;
    if (dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr)
      fail_at(text_, last_read, fmt::format("the number {} is not finite", token));
    const std::string_view what = error.what();
    const auto reason = what.rfind(" - ");
    fail_at(text_, last_read, reason == what.npos ? what : what.substr(reason + 3));
  }

 private:
  struct Open {
    nlohmann::json* value;              // an object or a list, which its parent does not move before this one is closed
    const std::string* name = nullptr;  // of an object, the last
  };

  nlohmann::json& place() {
    if (open_.empty()) return root_;
    return open_.back().value->is_object() ? *member_ : open_.back().value->emplace_back();
  }

  bool add(nlohmann::json value) {
    place() = std::move(value);
    return true;
  }

  bool open(nlohmann::json empty) {
    auto& value = place() = std::move(empty);
    open_.push_back({.value = &value});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string pointer() const {
    std::string all;
    for (const auto& [value, name] : open_)
      all += "/" + (value->is_object() ? escaped(*name) : std::to_string(value->size() - 1));
    return all;
  }

  std::string_view text_;
  nlohmann::json root_;
  nlohmann::json* member_ = nullptr;  // that the next value is of
  std::vector<Open> open_;
  std::string twice_;
};

}  // namespace

NoJson::NoJson(std::size_t line, const std::string& problem)
    : Error(fmt::format("line {}: this is not JSON: {}", line, problem)), line_(line), problem_(problem) {}

nlohmann::json parsed(std::string_view text) {
  expect_agreed(text);
  Builder builder(text);
  nlohmann::json::sax_parse(text, &builder);
  if (!builder.twice().empty())
    throw Error(printable(builder.twice()) + ": the field is there twice; keep one of them");
  return std::move(builder).value();
}

}  // namespace muster::results
