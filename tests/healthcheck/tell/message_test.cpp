// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/message.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;
using results::Status;

constexpr auto hostile = R"(</script>"}, {"x": "<!channel> <https://evil|x> [a](http://evil) **b** ${id} {{DATE(x)}})";

FleetEvent told_event(std::size_t nodes) {
  FleetEvent event{.id = "f00",
                   .source = "/here",
                   .made = "2026-11-25T06:00:00Z",
                   .version = "1",
                   .status = Status::fail,
                   .summary = hostile};
  for (const auto* state : {"pass", "warn", "unknown", "fail", "missing", "skipped"}) event.counts[state] = 0;
  event.counts["fail"] = nodes;
  for (std::size_t i = 0; i < nodes; ++i)
    event.unwell.push_back(
        {.name = fmt::format("{} {}", hostile, i), .status = Status::fail, .state = "fail", .reason = hostile});
  return event;
}

std::string with_body(const std::string& body) {
  return fmt::format(
      R"({{"schema": 1, "escape": {{"<": "&lt;"}}, "longest": 100, "most": 2, "words":
      {{"mark": {{"pass": "+", "warn": "!", "unknown": "?", "fail": "<x>"}}}}, "body": {}}})",
      body);
}

json filled(const std::string& body, std::size_t nodes = 3) {
  return json::parse(message_by(with_body(body), told_event(nodes)));
}

// All texts of a message, wherever they stand.
std::vector<std::string> texts(const json& part) {
  std::vector<std::string> all;
  if (part.is_string()) all.push_back(part);
  if (part.is_structured())
    for (const auto& each : part)
      for (auto& text : texts(each)) all.push_back(text);
  return all;
}

TEST(Message, HasValuesWhereTheTemplateNamesThem) {
  const auto made =
      filled(R"({"a": "${id}, ${status} ${mark} of ${fail}", "b": [1, null, "${made}"], "${id}": true})", 0);
  EXPECT_EQ(made, json::parse(R"({"a": "f00, fail <x> of 0", "b": [1, null, "2026-11-25T06:00:00Z"], "${id}": true})"));
}

TEST(Message, HasAnObjectForEachNodeAndOneForMore) {
  constexpr auto body =
      R"({"all": [{"$data": "${nodes}", "n": "${state}"}, {"$data": "${more}", "m": "${left_out}"}, "end"]})";
  EXPECT_EQ(filled(body), json::parse(R"({"all": [{"n": "fail"}, {"n": "fail"}, {"m": "1"}, "end"]})"));
  EXPECT_EQ(filled(body, 0), json::parse(R"({"all": ["end"]})"));
}

TEST(Message, WhatAnAttackerWroteIsOneText) {
  const auto made = filled(R"({"a": "${summary}", "b": [{"$data": "${nodes}", "c": "${node}: ${reason}"}]})");
  EXPECT_EQ(made.size(), 2U);
  EXPECT_EQ(made["b"].size(), 2U);
  EXPECT_EQ(made["b"][0].size(), 1U);
  EXPECT_EQ(made["a"].get<std::string>().find('<'), std::string::npos);
  EXPECT_NE(made["a"].get<std::string>().find("${id}"), std::string::npos) << "a value is not filled in again";
}

TEST(Message, AnEmptyValueIsADash) {
  EXPECT_EQ(filled(R"({"x": [{"$data": "${nodes}", "y": "${before}"}]})")["x"][0]["y"], "-");
}

TEST(Message, ATemplateIsRefusedWithThePlaceWhereverItIsWrong) {
  const std::string good = with_body("{}");
  const auto without = [&](const std::string& text) { return std::string(good).erase(good.find(text), text.size()); };
  const auto deep = [](std::size_t levels, const std::string& inside) {
    return with_body("{\"a\": [" + inside + std::string(levels, '[') + std::string(levels, ']') + "}]}");
  };
  for (const auto& [text, where] : std::vector<std::pair<std::string, std::string>>{
           {"", "line 1"},
           {"[]", "/"},
           {without("\"schema\": 1, "), "schema"},
           {without(", \"most\": 2"), "most"},
           {with_body("[]"), "/body"},
           {with_body(R"({"a": "${ids}"})"), "/body/a: there is no value 'ids' here. Did you mean"},
           {with_body(R"({"a": "${node}"})"), "/body/a"},
           {with_body(R"({"a": "${id"})"), "/body/a"},
           {with_body(R"({"$data": "${nodes}"})"), "/body/$data"},
           {with_body(R"({"a": [{"$data": "${node}"}]})"), "/body/a/0/$data"},
           {with_body(R"({"a": [{"$data": 1}]})"), "/body/a/0/$data"},
           {deep(1000, "{\"b\": "), "/body"},
           {deep(1000, R"({"$data": "${nodes}", "b": )"), "/body"},
           {deep(100'000, "{\"b\": "), "more than 1024"},
           {deep(100'000, R"({"$data": "${nodes}", "b": )"), "more than 1024"},
           {with_body(R"({"a": [{"$data": "${nodes}", "b": [{"$data": "${more}"}]}]})"), "/body/a/0/b/0/$data"},
           {std::string(good).replace(good.find("mark"), 4, "node"), "/words/node"},
           {std::string(good).replace(good.find("\"<\""), 3, "\"<<\""), "/escape/<<"}}) {
    try {
      (void)message_by(text, told_event(0));
      ADD_FAILURE() << text.substr(0, 200);
    } catch (const results::Error& error) {
      EXPECT_NE(std::string(error.what()).find(where), std::string::npos) << error.what();
    }
  }
}

TEST(Slack, NoTextHasMarkupOfAnAttacker) {
  const auto text = results::read_text(tests::source_folder() / "healthcheck/messages/slack.json");
  const auto made = json::parse(message_by(text, told_event(12)));
  for (const auto& each : texts(made)) EXPECT_EQ(each.find_first_of("<>"), std::string::npos) << each;
  EXPECT_LE(made["blocks"].size(), 50U);
  EXPECT_EQ(made["blocks"].size(), 2U + 10 + 2);
  for (const auto& block : made["blocks"]) EXPECT_EQ(block.dump().find("mrkdwn"), std::string::npos);
}

TEST(Teams, NoTextOfAnAttackerStandsWhereMarkdownIsRead) {
  const auto text = results::read_text(tests::source_folder() / "healthcheck/messages/teams.json");
  const auto made = json::parse(message_by(text, told_event(12)));
  const auto& body = made["attachments"][0]["content"]["body"];
  EXPECT_EQ(body.size(), 2U + 10 + 2);
  for (const auto& block : body) {
    EXPECT_EQ(block["type"], "RichTextBlock") << block;
    for (const auto& run : block["inlines"]) EXPECT_EQ(run["type"], "TextRun") << run;
  }
  EXPECT_LT(made.dump().size(), 28000U) << "Teams takes 28 KB";
}

}  // namespace
}  // namespace muster::healthcheck::fleet
