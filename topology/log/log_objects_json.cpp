// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "topology/kernel/text_fields.hpp"
#include "topology/log/log_objects.hpp"
#include "topology/log/log_scan.hpp"

namespace muster::topology {
namespace {

// What dmesg and Docker name fields.
constexpr std::array<std::string_view, 7> names_of_others{"fac", "pri", "time", "caller", "msg", "log", "stream"};

bool is_known(std::string_view name) {
  return is_name_of_journal(name) || std::ranges::find(names_of_others, name) != names_of_others.end();
}

std::string text_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string bytes;  // of a message that is no UTF-8
  for (const auto& byte : value)
    if (byte.is_number_integer()) bytes += static_cast<char>(byte.get<int>());
  return bytes;
}

}  // namespace

std::optional<LogLine> LogObjects::whole_object(std::string_view line, double written) {
  if (line.ends_with(',')) line.remove_suffix(1);
  const auto object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  fields_.clear();
  for (const auto& [name, value] : object.items()) keep(name, text_of(value));
  if (!has_message()) return std::nullopt;
  return message(written);
}

// "name" : value,
std::optional<LogLine> LogObjects::field_of_object(std::string_view line) {
  const auto end = line.find('"', 1);
  const auto name = line.substr(1, end == std::string_view::npos ? end : end - 1);
  if (end == std::string_view::npos) return std::nullopt;
  auto value = trimmed(line.substr(end + 1));
  if (!value.starts_with(':')) return std::nullopt;
  value = trimmed(value.substr(1));
  if (name == "dmesg" && value == "[") return LogLine(between);
  if (!is_known(name)) return std::nullopt;
  if (value == "[") {
    is_in_array_ = name == "MESSAGE";
    if (is_in_array_) fields_["MESSAGE"].clear();
    return LogLine(between);
  }
  if (value.ends_with(',')) value.remove_suffix(1);
  const auto parsed = nlohmann::json::parse(value, nullptr, false);
  if (parsed.is_discarded()) return std::nullopt;
  keep(name, text_of(parsed));
  return LogLine(between);
}

// A byte of a message that is no UTF-8.
void LogObjects::add_element(std::string_view line) {
  constexpr unsigned most = 255;
  if (line.starts_with(']')) is_in_array_ = false;
  const auto byte = front::number<unsigned>(line);
  auto& text = fields_["MESSAGE"];
  if (byte && *byte <= most && text.size() < max_bytes) text += static_cast<char>(static_cast<unsigned char>(*byte));
}

}  // namespace muster::topology
