// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/nccl_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace muster::topology {
namespace {

constexpr std::size_t longest = 253;  // characters of a name or value; NCCL has 255 bytes for it
constexpr int max_attributes = 16;    // of one element
constexpr int max_children = 640;     // of one element
constexpr int max_elements = 255;     // of the file: 256, of which one is for what is being read
constexpr std::size_t deepest = 64;   // ours; NCCL has none, and no machine is that deep
constexpr long only_version = 1;

// Which elements NCCL reads inside which; all others are skipped with what they contain.
struct Inside {
  std::string_view parent;
  std::string_view child;
};
constexpr std::array known_elements{
    Inside{"", "system"},      Inside{"system", "cpu"},    Inside{"cpu", "pci"},     Inside{"cpu", "nic"},
    Inside{"pci", "pci"},      Inside{"pci", "gpu"},       Inside{"pci", "nic"},     Inside{"nic", "net"},
    Inside{"pci", "pcilink"},  Inside{"gpu", "nvlink"},    Inside{"gpu", "c2c"},     Inside{"", "graphs"},
    Inside{"graphs", "graph"}, Inside{"graph", "channel"}, Inside{"channel", "gpu"}, Inside{"channel", "net"}};

bool reads(std::string_view parent, std::string_view child) {
  return std::ranges::any_of(known_elements,
                             [&](const Inside& pair) { return pair.parent == parent && pair.child == child; });
}

struct Refusal {
  std::string why;
};

enum class Form { none, opening, closing, single };

struct Element {
  Form form = Form::none;
  std::string name;
  int line = 0;
  int attributes = 0;
  std::set<std::string> names;
  std::string twice;          // the last attribute that is there again
  std::string without_value;  // the last attribute that has none
  std::optional<std::string> version;
};

struct Token {
  std::string name;
  std::optional<std::string> value;
  char last = ' ';
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Findings run() {
    try {
      inside("", true, 0);
      if (systems_ == 0)
        add(Severity::error, TopologyDefect::ignored, 0,
            "NCCL ignores the whole file: there is no element 'system' in it");
    } catch (const Refusal& refusal) {
      add(Severity::error, TopologyDefect::refused, line_, refusal.why);
    }
    return std::move(findings_);
  }

 private:
  [[noreturn]] static void refuse(std::string why) { throw Refusal{std::move(why)}; }

  void add(Severity severity, TopologyDefect wrong, int line, std::string what) {
    findings_.push_back({.wrong = wrong, .severity = severity, .device = "", .line = line, .what = std::move(what)});
  }

  bool at_end() const { return at_ == text_.size(); }

  char next() {
    if (at_end()) refuse("the file ends in the middle of an element");
    if (at_ > 0 && text_[at_ - 1] == '\n') ++line_;
    return text_[at_++];
  }

  static std::string shown(char character) {
    if (character == '\t') return "a tab";
    if (character == '\n' || character == '\r') return "a line break";
    if (character < ' ') return fmt::format("the byte {:#04x}", static_cast<unsigned char>(character));
    return fmt::format("'{}'", character);
  }

  // Up to one of " >/\n\r"; with a value when '=' comes first, where one is allowed.
  Token token(bool may_have_value) {
    Token token;
    for (;;) {
      const char character = next();
      if (character == '=') {
        if (!may_have_value) refuse(fmt::format("'{}=' is where NCCL expects a name without a value", token.name));
        token.value = quoted();
        token.last = next();
        return token;
      }
      if (token.name.size() > longest) refuse(fmt::format("a name is longer than {} characters", longest));
      if (std::string_view(" >/\n\r").find(character) != std::string_view::npos) {
        token.last = character;
        return token;
      }
      token.name += character;
    }
  }

  std::string quoted() {
    const char quote = next();
    if (quote != '"' && quote != '\'') refuse(fmt::format("{} is where a quote must follow '='", shown(quote)));
    std::string value;
    for (char character = next(); character != quote; character = next()) {
      value += character;
      if (value.size() > longest) refuse(fmt::format("a value is longer than {} characters", longest));
    }
    return value;
  }

  void comment(std::string_view start, char last) {
    std::string tail(start);
    for (tail += last; !tail.ends_with("-->"); tail += next()) {
    }
  }

  Element element() {
    for (;;) {
      char last = ' ';
      while (last == ' ' || last == '\n' || last == '\r') {
        if (at_end()) return {.form = Form::none, .name = "", .line = line_, .version = std::nullopt};
        last = next();
      }
      if (last != '<') refuse(fmt::format("{} is where an element must begin", shown(last)));
      Element found{.form = Form::opening, .name = "", .line = line_, .version = std::nullopt};
      Token head = token(false);
      found.name = std::move(head.name);
      if (found.name.starts_with("!--")) {
        comment(std::string_view(found.name).substr(3), head.last);
        continue;
      }
      if (found.name.empty() && head.last == '/') {
        found.form = Form::closing;
        head = token(false);
        found.name = std::move(head.name);
        if (head.last != '>') refuse(fmt::format("{} is in the closing tag of '{}'", shown(head.last), found.name));
        return found;
      }
      attributes(found, head.last);
      return found;
    }
  }

  void attributes(Element& into, char last) {
    while (last == ' ') {
      Token attribute = token(true);
      last = attribute.last;
      ++into.attributes;
      if (!attribute.name.empty() && !into.names.insert(attribute.name).second) into.twice = attribute.name;
      if (!attribute.name.empty() && !attribute.value) into.without_value = attribute.name;
      if (attribute.name == "version" && !into.version) into.version = std::move(attribute.value);
    }
    if (last == '/') {
      into.form = Form::single;
      last = token(false).last;
    }
    if (last != '>' && into.name.starts_with('?')) refuse("NCCL takes no XML declaration");
    if (last != '>') refuse(fmt::format("{} is where '>' or one space must be, in '{}'", shown(last), into.name));
  }

  void check(const Element& found) {
    if (found.attributes > max_attributes)
      add(Severity::error, TopologyDefect::ignored, found.line,
          fmt::format("'{}' has {} attributes, of which NCCL reads {}", found.name, found.attributes, max_attributes));
    if (!found.without_value.empty())
      add(Severity::error, TopologyDefect::ignored, found.line,
          fmt::format("'{}' of '{}' has no value for NCCL: there may be no space before '='", found.without_value,
                      found.name));
    if (!found.twice.empty())
      add(Severity::error, TopologyDefect::ignored, found.line,
          fmt::format("'{}' of '{}' is there twice; NCCL takes the first", found.twice, found.name));
    if (++elements_ > max_elements) refuse(fmt::format("NCCL reads at most {} elements", max_elements));
    if (found.name != "system" && found.name != "graphs") return;
    ++systems_;
    const std::string version = found.version.value_or("");
    if (std::strtol(version.c_str(), nullptr, 0) != only_version)
      refuse(fmt::format("the version of '{}' is '{}'; NCCL takes {} alone", found.name, version, only_version));
  }

  // Reads what is inside an element up to its end. `known_parent` is false inside what NCCL skips.
  void inside(const std::string& parent, bool known_parent, std::size_t depth) {
    if (depth > deepest) refuse(fmt::format("elements are nested deeper than {}", deepest));
    int children = 0;
    for (;;) {
      const Element found = element();
      if (found.form == Form::none) {
        if (depth > 0) refuse(fmt::format("'{}' is not closed", parent));
        return;
      }
      if (found.form == Form::closing) {
        if (depth == 0) refuse(fmt::format("'{}' is closed and was not opened", found.name));
        if (known_parent && found.name != parent)
          refuse(fmt::format("'{}' is closed where '{}' is open", found.name, parent));
        return;
      }
      const bool read = known_parent && reads(parent, found.name);
      if (read) {
        check(found);
        if (++children > max_children) refuse(fmt::format("'{}' has more than {} children", parent, max_children));
      }
      if (found.form == Form::opening) inside(found.name, read, depth + 1);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int elements_ = 0;
  int systems_ = 0;
  Findings findings_;
};

}  // namespace

Findings nccl_reads(std::string_view text) { return Parser(text).run(); }

}  // namespace muster::topology
