// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "topology/log_objects.hpp"

namespace muster::topology {
namespace {

constexpr double microsecond = 1e-6;
constexpr std::array<std::string_view, 7> names_of_others{"fac", "pri", "time", "caller", "msg", "log", "stream"};
constexpr std::array<std::string_view, 3> names_of_messages{"MESSAGE", "msg", "log"};

LogLine other() { return {.kind = LineKind::other, .has_front = true}; }

// "__REALTIME_TIMESTAMP" of journalctl; a few of dmesg's and Docker's.
bool is_known(std::string_view name) {
  const auto is_of_journal = [](char c) { return c == '_' || std::isupper(c) != 0 || std::isdigit(c) != 0; };
  return (!name.empty() && std::ranges::all_of(name, is_of_journal)) ||
         std::ranges::find(names_of_others, name) != names_of_others.end();
}

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\x1e'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string text_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string bytes;  // of a message that is no UTF-8
  for (const auto& byte : value)
    if (byte.is_number_integer()) bytes += static_cast<char>(byte.get<int>());
  return bytes;
}

std::optional<double> number(std::string_view text) {
  text = without_blanks(text);
  double found = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), found);
  if (error != std::errc() || stop == text.data()) return std::nullopt;
  return found;
}

}  // namespace

std::optional<LogLine> LogObjects::take(std::string_view line, double written) {
  line = without_blanks(line);
  if (line.starts_with("data: {")) line.remove_prefix(6);
  line = without_blanks(line);
  if (line.empty()) return std::nullopt;
  if (is_in_bytes_) {
    if (line.front() == ']')
      is_in_bytes_ = false;
    else if (const auto byte = number(line); byte && *byte >= 0 && *byte <= 255)
      fields_["MESSAGE"] += static_cast<char>(static_cast<unsigned char>(*byte));
    return other();
  }
  switch (line.front()) {
    case '{':
    case '}':
      return line.size() > 4 ? whole_object(line, written) : end_of_object(written);
    case ']':
      return other();
    case '"':
      return field_of_object(line);
    default:
      return exported_field(line);
  }
}

std::optional<LogLine> LogObjects::whole_object(std::string_view line, double written) {
  if (line.ends_with(',')) line.remove_suffix(1);
  const auto object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  fields_.clear();
  bool is_of_log = false;
  for (const auto& [name, value] : object.items()) {
    fields_.insert_or_assign(name, text_of(value));
    is_of_log = is_of_log || std::ranges::find(names_of_messages, name) != names_of_messages.end();
  }
  if (!is_of_log) return std::nullopt;
  return message(written);
}

LogLine LogObjects::end_of_object(double written) {
  const bool is_message =
      std::ranges::any_of(names_of_messages, [&](std::string_view name) { return fields_.contains(name); });
  return is_message ? message(written) : other();
}

// "name" : value,
std::optional<LogLine> LogObjects::field_of_object(std::string_view line) {
  const auto end = line.find('"', 1);
  const auto name = line.substr(1, end == std::string_view::npos ? end : end - 1);
  if (end == std::string_view::npos) return std::nullopt;
  auto value = without_blanks(line.substr(end + 1));
  if (!value.starts_with(':')) return std::nullopt;
  value = without_blanks(value.substr(1));
  if (name == "dmesg" && value == "[") return other();
  if (!is_known(name)) return std::nullopt;
  if (value == "[") {
    is_in_bytes_ = name == "MESSAGE";
    if (is_in_bytes_) fields_["MESSAGE"].clear();
    return other();
  }
  if (value.ends_with(',')) value.remove_suffix(1);
  const auto parsed = nlohmann::json::parse(value, nullptr, false);
  if (parsed.is_discarded()) return std::nullopt;
  fields_.insert_or_assign(std::string(name), text_of(parsed));
  return other();
}

// NAME=value
std::optional<LogLine> LogObjects::exported_field(std::string_view line) {
  const auto equals = line.substr(0, 64).find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  const auto name = line.substr(0, equals);
  if (std::ranges::find(names_of_others, name) != names_of_others.end() || !is_known(name)) return std::nullopt;
  if (name == "MESSAGE") {
    fields_.insert_or_assign("MESSAGE", std::string(line.substr(equals + 1)));
    return message(0);
  }
  if (name == "_BOOT_ID" || name.ends_with("_TIMESTAMP"))
    fields_.insert_or_assign(std::string(name), std::string(line.substr(equals + 1)));
  return other();
}

LogLine LogObjects::message(double written) {
  const auto field = [&](std::string_view name) {
    const auto found = fields_.find(name);
    return found == fields_.end() ? std::string_view() : std::string_view(found->second);
  };
  LogLine line{.has_front = true};
  const auto transport = field("_TRANSPORT");
  const bool is_of_kernel = transport.empty() || transport == "kernel" || field("SYSLOG_IDENTIFIER") == "kernel";
  if (!is_of_kernel) line.kind = LineKind::other;
  if (const auto micro = number(field("__REALTIME_TIMESTAMP"))) line.date = *micro * microsecond;
  if (const auto micro = number(field("_SOURCE_MONOTONIC_TIMESTAMP"))) line.seconds = *micro * microsecond;
  boot_ = field("_BOOT_ID");
  for (const auto name : names_of_messages)
    if (const auto found = fields_.find(name); found != fields_.end()) text_ = std::move(found->second);
  while (text_.ends_with('\n')) text_.pop_back();
  line.text = text_;
  if (fields_.contains("msg") && !fields_.contains("MESSAGE")) line.seconds = number(field("time"));
  if (fields_.contains("log") || fields_.contains("msg")) {
    const auto inner = without_front(text_, written);
    line.text = inner.text;
    if (inner.kind == LineKind::other) line.kind = inner.kind;
    if (inner.seconds) line.seconds = inner.seconds;
    if (inner.date) line.date = inner.date;
  }
  fields_.clear();
  return line;
}

}  // namespace muster::topology
