// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "healthcheck/tell/message.hpp"
#include "results/json/fields_json.hpp"
#include "results/json/parsed_json.hpp"
#include "results/strings/suggest.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;
using results::Field;
using results::Status;
using Values = std::map<std::string, std::string>;

constexpr std::size_t max_depth = 64;  // of a body, whose fields are looked at one inside the other
constexpr auto repeat = "$data";
constexpr std::array all_values = {
    "before",     "check", "fail",   "fault",   "gone",   "id",    "left_out", "made",    "metric",  "missing", "node",
    "node_count", "pass",  "reason", "skipped", "source", "state", "status",   "summary", "unknown", "version", "warn"};

[[noreturn]] void refuse_at(const std::string& where, const std::string& what) {
  throw results::Error(results::printable(fmt::format("{}: {}", where, what)));
}

struct Template {
  std::map<char, std::string> escapes;
  std::size_t longest = 0, most = 0;
  std::map<std::string, std::map<Status, std::string>> words;
  json body;
};

std::map<Status, std::string> words_of(const Field& field) {
  std::map<Status, std::string> words;
  field.object({"pass", "warn", "unknown", "fail"});
  for (const auto status : {Status::pass, Status::warn, Status::unknown, Status::fail})
    words[status] = field.at(to_text(status)).text();
  words[Status::skip] = words[Status::unknown];
  return words;
}

Template read(const json& document) {
  const auto root = Field(document).object({"schema", "about", "escape", "longest", "most", "words", "body"});
  root.at("schema").whole_number(1, 1);
  Template made{.longest = root.at("longest").whole_number(20, 3000),
                .most = root.at("most").whole_number(1, most_told_nodes)};
  for (const auto& [name, field] : root.at("escape").members()) {
    if (name.size() != 1) field.fail("escape one character of ASCII, such as \"<\"");
    made.escapes[name.front()] = field.text();
  }
  for (const auto& [name, field] : root.at("words").members()) {
    if (std::ranges::find(all_values, name) != all_values.end()) field.fail("is the name of a value already");
    made.words[name] = words_of(field);
  }
  root.at("body").members();
  made.body = document["body"];
  return made;
}

class Filling {
 public:
  Filling(const Template& wanted, const FleetEvent& event) : template_(wanted), event_(event) {
    values_ = {{"id", event.id},
               {"source", event.source},
               {"made", event.made},
               {"version", event.version},
               {"summary", event.summary},
               {"node_count", std::to_string(event.nodes)},
               {"gone", std::to_string(event.gone)}};
    for (const auto& [name, count] : event.counts) values_[name] = std::to_string(count);
    add_status(values_, event.status);
  }

  json body() const { return filled(template_.body, values_, "/body", 0); }

 private:
  void add_status(Values& values, Status status) const {
    values["status"] = to_text(status);
    for (const auto& [name, words] : template_.words) values[name] = words.at(status);
  }

  // Those of the event and of a node.
  Values of_node(const ToldNode& node) const {
    Values values = values_;
    values.insert({{"node", node.name},
                   {"state", node.state},
                   {"before", node.before},
                   {"check", node.check},
                   {"metric", node.metric},
                   {"fault", node.fault},
                   {"reason", node.reason}});
    add_status(values, node.status);
    return values;
  }

  std::vector<Values> of_each(const std::string& name, const std::string& where) const {
    const auto shown = std::min(event_.unwell.size(), template_.most);
    std::vector<Values> all;
    if (name == "${nodes}") {
      for (std::size_t i = 0; i < shown; ++i) all.push_back(of_node(event_.unwell[i]));
    } else if (name == "${more}") {
      const auto left_out = event_.left_out + event_.unwell.size() - shown;
      if (left_out > 0) (all.emplace_back(values_))["left_out"] = std::to_string(left_out);
    } else {
      refuse_at(where, fmt::format("'{}' is not one of ${{nodes}}, ${{more}}", name));
    }
    return all;
  }

  json filled(const json& part, const Values& values, const std::string& where, std::size_t depth) const {
    if (depth > max_depth) refuse_at("/body", fmt::format("it is deeper than {} fields", max_depth));
    if (part.is_string()) return filled_text(part.get_ref<const std::string&>(), values, where);
    if (part.is_array()) return filled_list(part, values, where, depth);
    if (!part.is_object()) return part;
    if (part.contains(repeat)) refuse_at(where + "/$data", "only an object in a list can be there for each");
    json made = json::object();
    for (const auto& [name, value] : part.items())
      made[name] = filled(value, values, fmt::format("{}/{}", where, results::escaped(name)), depth + 1);
    return made;
  }

  json filled_list(const json& list, const Values& values, const std::string& where, std::size_t depth) const {
    json made = json::array();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto here = fmt::format("{}/{}", where, i);
      if (!list[i].is_object() || !list[i].contains(repeat)) {
        made.push_back(filled(list[i], values, here, depth + 1));
        continue;
      }
      auto each = list[i];
      const json name = each[repeat];
      each.erase(repeat);
      if (!name.is_string()) refuse_at(here + "/$data", "must be a text");
      if (values.contains("node") || values.contains("left_out")) refuse_at(here + "/$data", "is inside another");
      for (const auto& of_one : of_each(name, here + "/$data")) made.push_back(filled(each, of_one, here, depth + 1));
    }
    return made;
  }

  std::string filled_text(const std::string& text, const Values& values, const std::string& where) const {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
      const auto begin = text.find("${", at);
      made += text.substr(at, begin - at);
      if (begin == text.npos) break;
      const auto end = text.find('}', begin);
      if (end == text.npos) refuse_at(where, "the '${' has no '}'");
      made += value_of(text.substr(begin + 2, end - begin - 2), values, where);
      at = end + 1;
    }
    return made;
  }

  // A chat refuses an empty text.
  std::string value_of(const std::string& name, const Values& values, const std::string& where) const {
    const auto found = values.find(name);
    if (found == values.end()) {
      std::vector<std::string> names;
      for (const auto& [each, value] : values) names.push_back(each);
      refuse_at(where, fmt::format("there is no value '{}' here.{}", name, results::suggestion(name, names)));
    }
    if (found->second.empty()) return "-";
    if (template_.words.contains(name)) return found->second;
    std::string made;
    for (const char letter : results::shortened(found->second, template_.longest)) {
      const auto escape = template_.escapes.find(letter);
      made += escape == template_.escapes.end() ? std::string(1, letter) : escape->second;
    }
    return made;
  }

  const Template& template_;
  const FleetEvent& event_;
  Values values_;
};

// One that has all that a template can name, so that each is looked at as a whole.
FleetEvent full_event() {
  FleetEvent event{.left_out = 1};
  for (const auto* name : {"pass", "warn", "unknown", "fail", "missing", "skipped"}) event.counts[name] = 0;
  event.unwell.resize(1);
  return event;
}

}  // namespace

std::string message_by(std::string_view message_template, const FleetEvent& event) {
  const auto wanted = read(results::parsed(message_template));
  const auto full = full_event();
  (void)Filling(wanted, full).body();
  return Filling(wanted, event).body().dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace muster::healthcheck::fleet
