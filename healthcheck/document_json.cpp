// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/document_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "healthcheck/error.hpp"
#include "results/file.hpp"

namespace muster::healthcheck {
namespace {

using Json = nlohmann::json;

// Walks over the text and keeps the line of the last letter read in `line`, which it does not own.
class CountingIterator {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the standard library's names
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  // NOLINTEND(readability-identifier-naming)

  CountingIterator(const char* at, std::size_t& line) : at_(at), line_(&line) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (after_newline_) ++*line_;
    after_newline_ = *at_++ == '\n';
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* line_;
  bool after_newline_ = false;
};

// An object or array that is being read.
struct Open {
  std::string pointer;
  std::string member;  // pointer of the member whose value comes next, in an object
  bool is_array = false;
  std::size_t count = 0;  // elements so far, of an array
};

std::string words_of(const Json::exception& error) {
  const std::string_view what = error.what();
  const auto reason = what.rfind(" - ");
  return std::string(reason == what.npos ? what : what.substr(reason + 3));
}

std::string read_file(const std::filesystem::path& file) {
  try {
    return results::read_text(file);
  } catch (const results::Error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

std::string filled_text(const results::Field& field) {
  std::string text = field.text();
  if (text.empty()) field.fail("must not be empty");
  return text;
}

Document::Document(const std::filesystem::path& file) : file_(file), text_(read_file(file)) { parse(); }

void Document::parse() {
  std::size_t line = 1;
  std::vector<Open> open;
  std::string twice;
  lines_[""] = 1;
  const auto place = [&] {
    if (open.empty()) return std::string();
    Open& top = open.back();
    return top.is_array ? fmt::format("{}/{}", top.pointer, top.count++) : top.member;
  };
  const auto note = [&](int, Json::parse_event_t event, const Json& parsed) {
    switch (event) {
      case Json::parse_event_t::key:
        open.back().member = open.back().pointer + "/" + results::escaped(parsed.get<std::string>());
        if (const auto [at, fresh] = lines_.emplace(open.back().member, line); !fresh && twice.empty()) {
          at->second = line;
          twice = at->first;
        }
        break;
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start: {
        const std::string pointer = place();
        lines_.emplace(pointer, line);
        open.push_back({.pointer = pointer, .member = "", .is_array = event == Json::parse_event_t::array_start});
        break;
      }
      case Json::parse_event_t::object_end:
      case Json::parse_event_t::array_end:
        open.pop_back();
        break;
      case Json::parse_event_t::value:
        lines_.emplace(place(), line);
        break;
    }
    return true;
  };
  try {
    json_ =
        Json::parse(CountingIterator(text_.data(), line), CountingIterator(text_.data() + text_.size(), line), note);
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("{}:{}: this is not JSON: {}", file_.string(), line, words_of(error)));
  }
  if (!twice.empty()) fail(twice + ": the field is there twice; keep one of them");
}

void Document::fail(std::string_view problem) const {
  auto pointer = problem.substr(0, problem.find(": "));
  auto at = lines_.find(pointer);
  while (at == lines_.end() && !pointer.empty()) {
    pointer = pointer.substr(0, pointer.rfind('/'));
    at = lines_.find(pointer);
  }
  throw UsageError(fmt::format("{}:{}: {}", file_.string(), at->second, problem));
}

}  // namespace muster::healthcheck
