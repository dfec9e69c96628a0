// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/document_json.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <tuple>
#include <vector>

#include "healthcheck/program/error.hpp"
#include "results/json/parsed_json.hpp"
#include "results/system/file.hpp"

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

// Where the fields of a text are, which takes longer than to read it.
class Lines {
 public:
  explicit Lines(const std::string& text) {
    std::size_t line = 1;
    lines_[""] = 1;
    const auto note = [&](int, Json::parse_event_t event, const Json& parsed) {
      using enum Json::parse_event_t;
      take(event, parsed, line);
      return event == object_start || event == array_start || event == key;  // keep nothing, see results::parsed
    };
    std::ignore =
        Json::parse(CountingIterator(text.data(), line), CountingIterator(text.data() + text.size(), line), note);
  }

  // By JSON pointer; of a field that is there twice the last.
  std::map<std::string, std::size_t, std::less<>> all() && { return std::move(lines_); }

 private:
  // An object or array that is being read.
  struct Open {
    std::string pointer;
    std::string member;  // pointer of the member whose value comes next, in an object
    bool is_array = false;
    std::size_t count = 0;  // elements so far, of an array
  };

  // No document that muster reads is as deep; the pointers of deeper ones would take longer than all else.
  static constexpr std::size_t deepest = 16;

  void take(Json::parse_event_t event, const Json& parsed, std::size_t line) {
    switch (event) {
      case Json::parse_event_t::key:
        name(parsed.get<std::string>(), line);
        break;
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        open_.push_back({.pointer = place(line), .member = "", .is_array = event == Json::parse_event_t::array_start});
        break;
      case Json::parse_event_t::object_end:
      case Json::parse_event_t::array_end:
        open_.pop_back();
        break;
      case Json::parse_event_t::value:
        place(line);
        break;
    }
  }

  void name(const std::string& name, std::size_t line) {
    if (open_.size() > deepest) return;
    Open& top = open_.back();
    top.member = top.pointer + "/" + results::escaped(name);
    lines_[top.member] = line;
  }

  // Of the value that comes now. The line of a member is that of its name.
  std::string place(std::size_t line) {
    if (open_.empty() || open_.size() > deepest) return "";
    Open& top = open_.back();
    if (!top.is_array) return top.member;
    auto pointer = fmt::format("{}/{}", top.pointer, top.count++);
    lines_.emplace(pointer, line);
    return pointer;
  }

  std::map<std::string, std::size_t, std::less<>> lines_;
  std::vector<Open> open_;
};

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

results::Unit read_unit(const results::Field& field) {
  return field.one_of(results::unit_from, results::symbol, results::Unit::operation_per_second);
}

results::Status read_severity(const results::Field& field) {
  const auto status = results::status_from(field.text());
  if (!status || *status < results::Status::warn) field.fail_as_none_of(field.text(), {"fail", "unknown", "warn"});
  return *status;
}

Document::Document(const std::filesystem::path& file) : file_(file), text_(read_file(file)) {
  try {
    json_ = results::parsed(text_);
  } catch (const results::NoJson& error) {
    throw UsageError(fmt::format("{}:{}: this is not JSON: {}", file_.string(), error.line(), error.problem()));
  } catch (const results::Error& error) {
    fail(error.what());
  }
}

void Document::fail(std::string_view problem) const {
  if (lines_.empty()) lines_ = Lines(text_).all();
  auto pointer = problem.substr(0, problem.find(": "));
  auto at = lines_.find(pointer);
  while (at == lines_.end() && !pointer.empty()) {  // of what it is in
    const auto parent = pointer.rfind('/');
    pointer = pointer.substr(0, parent == pointer.npos ? 0 : parent);
    at = lines_.find(pointer);
  }
  throw UsageError(fmt::format("{}:{}: {}", file_.string(), at->second, problem));
}

}  // namespace muster::healthcheck
