// SPDX-License-Identifier: Apache-2.0
#include "results/report_fields_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "results/error.hpp"
#include "results/report.hpp"
#include "results/utf8.hpp"

namespace muster::results {
namespace {

[[noreturn]] void fail_at(std::string_view text, std::size_t byte, std::string_view what) {
  const auto before = text.substr(0, std::min(byte, text.size()));
  throw Error(fmt::format("line {}: this is not JSON: {}", 1 + std::ranges::count(before, '\n'), printable(what)));
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

nlohmann::json parsed(std::string_view text) {
  if (const auto found = obstacle(text)) fail_at(text, found->byte, found->what);
  Places places;
  const auto note = [&](int, nlohmann::json::parse_event_t event, const nlohmann::json& value) {
    places.note(event, value);
    return true;
  };
  try {
    auto json = nlohmann::json::parse(text, note);
    if (!places.twice().empty()) throw Error(printable(places.twice()) + ": this field is there twice");
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    const std::string_view what = error.what();
    const auto reason = what.rfind(" - ");
    fail_at(text, error.byte, reason == what.npos ? what : what.substr(reason + 3));
  } catch (const nlohmann::json::out_of_range& error) {
    const std::string_view what = error.what();
    const auto number = what.substr(what.find('\'') + 1, what.rfind('\'') - what.find('\'') - 1);
    fail_at(text, text.find(number), fmt::format("the number {} is not finite", number));
  }
}

std::string read_time(const Field& field) {
  std::string text = field.text();
  if (!text.empty() && !is_time(text))
    field.fail(fmt::format("'{}' is not a time such as 2026-11-21T02:50:10.123Z", text));
  return text;
}

Status read_status(const Field& field) {
  return field.one_of(
      status_from, [](Status status) { return to_text(status); }, Status::fail);
}

Labels read_labels(const Field& field) {
  Labels labels;
  for (const auto& [name, value] : field.members()) labels.emplace(name, value.text());
  return labels;
}

std::vector<std::string> read_texts(const Field& field) {
  std::vector<std::string> texts;
  for (const Field& item : field.items()) texts.push_back(item.text());
  return texts;
}

Selection read_selection(const Field& field) {
  const Field selection = field.object({"tier", "only", "skip"});
  const auto tier_name = [](Tier tier) { return to_text(tier); };
  return {.tier = selection.at("tier").one_of(tier_from, tier_name, Tier::full),
          .only = read_texts(selection.at("only")),
          .skip = read_texts(selection.at("skip"))};
}

nlohmann::ordered_json written(const Selection& selection) {
  return {{"tier", to_text(selection.tier)}, {"only", selection.only}, {"skip", selection.skip}};
}

std::string read_version(const Field& field) {
  const Field tool = field.object({"name", "version"});
  if (tool.at("name").text() != "muster") tool.at("name").fail("must be 'muster'");
  return tool.at("version").text();
}

}  // namespace muster::results
