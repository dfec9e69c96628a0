// SPDX-License-Identifier: Apache-2.0
#include "results/parsed_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <vector>

#include "results/fields_json.hpp"
#include "results/utf8.hpp"

namespace muster::results {
namespace {

[[noreturn]] void fail_at(std::string_view text, std::size_t byte, std::string_view what) {
  throw NoJson(1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, byte), '\n')), printable(what));
}

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

void expect_no_long_number(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
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
  expect_no_long_number(text);
}

// Objects and lists that are being read, and where in them.
class Places {
 public:
  using Event = nlohmann::json::parse_event_t;

  void note(Event event, const nlohmann::json& value) {
    if (event == Event::key) {
      open_.back().name = value.get<std::string>();
      if (!open_.back().names.insert(open_.back().name).second && twice_.empty()) twice_ = pointer();
    } else if (event == Event::object_end || event == Event::array_end) {
      open_.pop_back();
    } else {
      if (!open_.empty()) ++open_.back().values;
      if (event != Event::value) open_.emplace_back();
    }
  }

  // Of the first field that is there twice; empty where none is.
  const std::string& twice() const { return twice_; }

 private:
  struct Open {
    std::set<std::string> names;  // of an object
    std::string name;             // the last of them
    std::size_t values = 0;       // so far
  };

  std::string pointer() const {
    std::string all;
    for (const auto& open : open_)
      all += "/" + (open.names.empty() ? std::to_string(open.values - 1) : escaped(open.name));
    return all;
  }

  std::vector<Open> open_;
  std::string twice_;
};

}  // namespace

NoJson::NoJson(std::size_t line, const std::string& what)
    : Error(fmt::format("line {}: this is not JSON: {}", line, what)), line_(line), what_(what) {}

nlohmann::json parsed(std::string_view text) {
  expect_agreed(text);
  Places places;
  const auto note = [&](int, nlohmann::json::parse_event_t event, const nlohmann::json& value) {
    places.note(event, value);
    return true;
  };
  try {
    auto json = nlohmann::json::parse(text, note);
    if (!places.twice().empty())
      throw Error(printable(places.twice()) + ": the field is there twice; keep one of them");
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    const std::string_view what = error.what();
    const auto reason = what.rfind(" - ");
    const auto last_read = std::max(std::min(error.byte, text.size()), std::size_t{1}) - 1;
    fail_at(text, last_read, reason == what.npos ? what : what.substr(reason + 3));
  } catch (const nlohmann::json::out_of_range& error) {
    const std::string_view what = error.what();
    const auto number = what.substr(what.find('\'') + 1, what.rfind('\'') - what.find('\'') - 1);
    fail_at(text, text.find(number), fmt::format("the number {} is not finite", number));
  }
}

}  // namespace muster::results
